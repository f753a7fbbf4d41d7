// What the catalogue knows of an op. One row is everything: signature, types, shape relation, accuracy, gradient,
// documentation. Validation, inference, sampling, tolerance, client wrappers and reference pages derive from it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/core/attr.h"
#include "spec/ops/accuracy.h"
#include "spec/ops/gradient.h"

namespace plumb {

// One argument of a signature. It expands to one or more types (rule T1).
struct ArgDef {
  std::string name;
  DType type = DType::kInvalid;  // fixed type, or kInvalid
  std::string type_attr;         // "T": one value of that type
  std::string number_attr;       // "N": N values of the type
  std::string type_list_attr;    // "component_types": as many values as the list has types
  bool is_ref = false;
};

enum class AttrKind { kString, kInt, kFloat, kBool, kType, kShape, kTensor, kFunc };

struct AttrDef {
  std::string name;
  AttrKind kind = AttrKind::kString;
  bool is_list = false;
  std::optional<AttrValue> default_value;
  std::optional<int64_t> minimum;            // of an int, or of a list's length (rule A5 applied)
  std::vector<DType> allowed_types;          // empty: any
  std::vector<std::string> allowed_strings;  // empty: any
};

class ShapeContext;
// Returns one shape per output. Throws kInvalidArgument when the inputs cannot fit.
using ShapeFn = std::vector<PartialShape> (*)(const ShapeContext&);

// An op that graphs made by producer `version` or later may not contain (rule V2). Version 0: not deprecated.
struct Deprecation {
  int version = 0;
  const char* explanation = "";
};

struct OpDef {
  std::string name;
  std::vector<ArgDef> inputs;
  std::vector<ArgDef> outputs;
  std::vector<AttrDef> attrs;
  std::string doc;
  bool is_stateful = false;  // never merged, folded or recomputed (rule O3)
  bool is_commutative = false;
  bool is_aggregate = false;
  bool allows_uninitialized_input = false;  // rule R13
  std::string shape_pattern;                // "[b... m k] [b... k n] -> [b... m n]"; empty when `shape_fn` says it
  ShapeFn shape_fn = nullptr;
  Accuracy accuracy;
  Differentiation gradient;
  std::string sample;  // how to draw random inputs where the pattern does not say it (spec/ops/README.md)
  Deprecation deprecated;

  const AttrDef* FindAttr(std::string_view attr_name) const;
};

// A row as it is written in a family file. The notation of `signature` and `attrs` is that of TensorFlow's own listing:
//   {.signature = "MatMul(a: T, b: T) -> (product: T)",
//    .attrs = "T: type in [floats, int32, int64, complexes]; transpose_a: bool = false; transpose_b: bool = false", …}
// Arguments: name: TYPE | name: T | name: T*N | name: list(Ts) | name: ref T. Flags may follow the outputs:
// "stateful", "commutative", "aggregate", "allows_uninitialized_input".
// Attributes, separated by ';': name: KIND [>= minimum] [= default] [in [a, b, …]], KIND one of string int float bool
// type shape tensor func list(KIND). Sets of types: floats (float16 bfloat16 float32 float64), complexes, ints (int8 …
// int64, uint8 … uint64), numbers (all of these), quantized.
struct OpRow {
  const char* signature;
  const char* attrs = "";
  const char* doc = "";
  const char* shape = "";      // pattern
  ShapeFn shape_fn = nullptr;  // when no pattern can say it
  Accuracy accuracy = Exact();
  Differentiation gradient = NoGradientRegistered();
  const char* sample = "";
  Deprecation deprecated = {};
};

// Parses a row; throws kInvalidArgument with the position of the mistake.
OpDef ParseOpRow(const OpRow& row);

// Element type and shape of a variable, as declared.
struct VariableType {
  DType dtype = DType::kInvalid;
  PartialShape shape;
};

// What a shape rule may look at.
class ShapeContext {
 public:
  virtual ~ShapeContext() = default;
  virtual const OpDef& op() const = 0;
  virtual const AttrMap& attrs() const = 0;
  virtual int num_inputs() const = 0;
  virtual int num_outputs() const = 0;
  virtual const PartialShape& input(int i) const = 0;
  // The value of an input that is known before the run, else null.
  virtual const Tensor* constant(int i) const = 0;
  // The variable behind an input that is a resource handle, where it is known.
  virtual std::optional<VariableType> variable(int) const { return std::nullopt; }

  template <class T>
  const T& attr(std::string_view name) const {
    return GetAttr<T>(attrs(), name);
  }
};

// Output shapes of a node by its op's pattern or rule; unknown shapes where the op has neither.
std::vector<PartialShape> InferShapes(const ShapeContext& context);

}  // namespace plumb
