// What the catalogue knows of an op. One row is everything: signature, types, shape relation, accuracy, gradient,
// documentation. Validation, inference, sampling, tolerance, client wrappers and reference pages derive from it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/core/attr.h"
#include "spec/ops/accuracy.h"
#include "spec/ops/gradient.h"
#include "spec/ops/op_kind.h"

namespace plumb {

// One argument of a signature. It expands to one or more types (rule T1).
struct ArgDef {
  std::string name;
  DType type = DType::kInvalid;  // fixed type, or kInvalid
  std::string type_attr;         // "T": one value of that type
  std::string number_attr;       // "N": N values of the type
  std::string type_list_attr;    // "component_types": as many values as the list has types
  bool is_ref = false;
  std::string handle;  // what a handle leads to: "Variable", "Stack", "Queue"
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

// How a shape rule relates to what kernels take. Rules are TensorFlow's own, and some see less, or refuse more.
enum class Strictness {
  kAsKernel,
  // Refuses shapes that kernels take when they show only at run time: a scalar in place of a vector of one and the
  // other way round, axes of any shape, gradients of another shape with as many elements, images with one more
  // dimension, axes and strides that nothing depends on, variables that change their shape.
  kStricterThanKernel,
  // Repeats what was declared: a variable's shape, which an assignment that does not validate shapes leaves behind, or
  // an attribute that no kernel looks at.
  kRepeatsDeclaration,
};

class Folding;
// How outputs follow before the run from what is known (known_values.h): from the shapes of the inputs, or from the
// values of all of them. Both return nothing where the output stays unknown.
struct FoldRule {
  std::optional<Tensor> (*from_shapes)(const Folding&, int output) = nullptr;
  std::optional<Tensor> (*from_values)(const Folding&) = nullptr;
};
constexpr FoldRule FromShapes(std::optional<Tensor> (*fold)(const Folding&, int)) { return {fold, nullptr}; }
constexpr FoldRule FromValues(std::optional<Tensor> (*fold)(const Folding&)) { return {nullptr, fold}; }

// How the gradient rule of an op is tried against exact derivatives, on the samples of its row.
struct GradientTrial {
  std::vector<int> constant_inputs = {};  // the rule gives none for these, although the op depends on them
  bool positive = false;                  // the derivative is there for positive numbers only
  int order = 1;                          // so many times in a row: rules of the gradient ops that the rule builds
  const char* untried = "";               // why the op alone cannot show it
};

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
  OpKind kind = OpKind::kKernel;
  std::map<std::string, std::vector<DType>, std::less<>>
      cpu_types;  // by attribute; all allowed ones where it is absent
  // The same of GPU kernels, where the CPU's types stand for what is absent; nothing where no GPU has a kernel.
  std::optional<std::map<std::string, std::vector<DType>, std::less<>>> gpu_types;
  std::string shape_pattern;  // "[b... m k] [b... k n] -> [b... m n]"; empty when `shape_fn` says it
  ShapeFn shape_fn = nullptr;
  Strictness strictness = Strictness::kAsKernel;
  FoldRule fold;
  int cost = 1;  // work per element, in units of one addition
  Accuracy accuracy;
  Differentiation gradient;
  GradientTrial gradient_trial;
  std::vector<std::string> samples;  // how to draw random inputs where the pattern does not say it (sample.h)
  Deprecation deprecated;

  const AttrDef* FindAttr(std::string_view attr_name) const;
  // What kind of handle output `i` is; "" for other values.
  std::string_view HandleKind(size_t i) const { return i < outputs.size() ? outputs[i].handle : std::string_view(); }
  // The types that a CPU kernel must take for an attribute of kind type; empty: any.
  const std::vector<DType>& CpuTypes(const AttrDef& attr) const;
  // The same of a GPU kernel, if there is one.
  const std::vector<DType>& GpuTypes(const AttrDef& attr) const;
};

// A row as it is written in the file of its topic. The notation of `signature` and `attrs` is that of TensorFlow's own
// listing:
//   {.signature = "MatMul(a: T, b: T) -> (product: T)",
//    .attrs = "T: type in [floats, int32, int64, complexes]; transpose_a: bool = false; transpose_b: bool = false", …}
// Arguments: name: TYPE | name: T | name: T*N | name: list(Ts) | name: ref T. A handle says what it leads to, which
// TensorFlow leaves out: name: resource<Variable>, name: ref string<Stack>. Flags may follow the outputs:
// "stateful", "commutative", "aggregate", "allows_uninitialized_input"; and then traits, words of ours (traits.h).
// Attributes, separated by ';': name: KIND [>= minimum] [= default] [in [a, b, …]], KIND one of string int float bool
// type shape tensor func list(KIND). Sets of types: floats (float16 bfloat16 float32 float64), complexes, ints (int8 …
// int64, uint8 … uint64), numbers (all of these), quantized.
struct OpRow {
  const char* signature;
  const char* attrs = "";
  const char* doc = "";
  OpKind kind = OpKind::kKernel;
  const char* cpu = "";  // "T in [floats, int32]; Tidx in [int32]": where CPU kernels take fewer types than the op
  // "T in [floats]": the same for GPU kernels, of those that CPU kernels take; "all": these; "": there is none.
  const char* gpu = "";
  const char* shape = "";      // pattern
  ShapeFn shape_fn = nullptr;  // when no pattern can say it
  Strictness strictness = Strictness::kAsKernel;
  FoldRule fold = {};
  int cost = 1;
  Accuracy accuracy = Exact();
  Differentiation gradient = NoGradientRegistered();
  GradientTrial gradient_trial = {};
  std::vector<const char*> samples = {};
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
