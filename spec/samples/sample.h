// Random valid inputs for an op, from the `samples` column of its row: one string per alternative. The notation:
//
//   alternative = { node ";" } [ setting { setting } ":" ] { input } { ";" node }
//   node        = name "=" Op [ setting { setting } ":" ] { input }    runs before, or after, what is tried
//   setting     = attr "=" value { "/" value }              one of the values, as in an attribute list
//               | attr "=" "$" name                         the tried op's attribute of this name; of a type, where a
//                                                           list of types is asked for, that type alone
//               | attr "in" "[" types "]"                   the alternative is for these types only
//   input       = [dims] { how }                            random values in this shape (dims.h)
//               | number | true | false | text              a constant scalar
//               | "{" … "}"                                 a constant; numbers, texts, names of dimensions, nested
//               | name [ ":" number ]                       an output of a node that stands before; "this" is what is
//                                                           tried
//               | "(" input … ")"                           one for each value of an argument "T*N"
//   text        = 'letters' | x'hexadecimal digits'         a string; bytes
//   how         = "in" low ".." high                        from [low, high); both may name dimensions
//               | "positive" | "nonzero" | "finite" | "permutation"
//               | "sorted"                                  rows in lexicographic order, each once
//
// Without any samples the inputs of the shape pattern are drawn. "-: why" says that the op cannot be tried alone. The
// nodes of an alternative run in the order in which they are written, in one step:
//
//   "s = StackV2 elem_type=$elem_type: -1; p = StackPushV2 T=$elem_type: s [a b]; s"     for StackPopV2
//
// Equal names are equal sizes throughout an alternative, also in the values of shape and tensor attributes, which are
// written as a shape; lists of shapes are written out: shapes=[[2], []]. A name in capitals stands for a size of at
// least 1. "nonzero" concerns integers only. An input that is a reference, or a handle of a variable, is drawn as the
// value that the variable holds.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "spec/core/attr.h"
#include "spec/core/tensor.h"
#include "spec/ops/op_def.h"

namespace plumb {

// An output of a node of the same case, by name.
struct SampledOutput {
  std::string node;
  int output = 0;
};
using SampledInput = std::variant<Tensor, SampledOutput>;

struct SampledNode {
  std::string name;
  const OpDef* op = nullptr;
  AttrMap attrs;
  std::vector<SampledInput> inputs;
};

// What may stand in the place of a sampled input.
enum class Freedom {
  kThis,    // nothing else: its numbers follow from others, or from a rule
  kFinite,  // any finite values of this type and shape
  kAny,     // any values of this type and shape
};

struct SampledCase {
  std::string label;              // "[m k] [k n], special values"
  AttrMap attrs;                  // all of them, defaults filled in
  std::vector<Tensor> inputs;     // unset where an input comes from a node of `before`
  std::vector<Freedom> freedoms;  // one for each input
  std::vector<SampledNode> before;
  std::vector<SampledNode> after;
  std::map<size_t, SampledOutput> from;  // where the unset inputs come from

  // Whether the op is tried by itself, on values.
  bool StandsAlone() const { return before.empty() && after.empty(); }
};

// Whether the row says how.
bool CanSample(const OpDef& op);

// For each alternative that allows these types: ordinary values, special ones (NaN, infinities, −0, subnormals,
// extremes; scalars among the shapes), and empty tensors where sizes are free. `types` gives attributes of kind type;
// those it leaves out take the alternative's setting, their default, or float32 or int32 where that is allowed. The
// same seed gives the same cases.
std::vector<SampledCase> SampleInputs(const OpDef& op, const AttrMap& types, uint64_t seed);

// For each alternative and each size in it that may be 0: ordinary values, with that size 0.
std::vector<SampledCase> SampleEmptyInputs(const OpDef& op, const AttrMap& types, uint64_t seed);

// For each alternative and each size in it that is free: ordinary values, with that size in the thousands (or, where a
// name stands for any number of sizes, the last of them), so that sums along it are long.
std::vector<SampledCase> SampleLongInputs(const OpDef& op, const AttrMap& types, uint64_t seed);

// For each alternative with sizes that are free: ordinary values, with sizes whose product is about `volume`, skewed or
// even, none above kLargestSize; less where an input would have more than half a million elements. They reach what a
// kernel does with large values only: cuts, blocks, chunks, batches. `single`: one size takes nearly all of the volume.
inline constexpr int64_t kLargestSize = int64_t{1} << 17;
std::vector<SampledCase> SampleLargeInputs(const OpDef& op, const AttrMap& types, uint64_t seed, int64_t volume,
                                           bool single = false);

}  // namespace plumb
