// Random valid inputs for an op, from the `sample` column of its row. The notation:
//
//   sample      = alternative { "|" alternative }           "-": the op cannot be tried alone
//   alternative = [ setting { setting } ":" ] { input }     without any, the inputs of the shape pattern are drawn
//   setting     = attr "=" value { "/" value }              one of the values, as in an attribute list
//               | attr "in" "[" types "]"                   the alternative is for these types only
//   input       = [dims] { how }                            random values in this shape (dims.h)
//               | number | true | false                     a constant scalar
//               | "{" … "}"                                 a constant; numbers, names of dimensions, nested braces
//               | "(" input … ")"                           one for each value of an argument "T*N"
//   how         = "in" low ".." high                        from [low, high); both may name dimensions
//               | "positive" | "nonzero" | "finite" | "permutation"
//
// Equal names are equal sizes throughout an alternative, also in the values of shape and tensor attributes, which are
// written as a shape. A name in capitals stands for a size of at least 1. "nonzero" concerns integers only. An input
// that is a reference or a resource is drawn as the value that its variable holds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/core/attr.h"
#include "spec/core/tensor.h"
#include "spec/ops/op_def.h"

namespace plumb {

// What may stand in the place of a sampled input.
enum class Freedom {
  kThis,    // nothing else: its numbers follow from others, or from a rule
  kFinite,  // any finite values of this type and shape
  kAny,     // any values of this type and shape
};

struct SampledCase {
  std::string label;  // "[m k] [k n], special values"
  AttrMap attrs;      // all of them, defaults filled in
  std::vector<Tensor> inputs;
  std::vector<Freedom> freedoms;  // one for each input
};

// Whether the row says how.
bool CanSample(const OpDef& op);

// For each alternative that allows these types: ordinary values, special ones (NaN, infinities, −0, subnormals,
// extremes; scalars among the shapes), and empty tensors where sizes are free. `types` gives attributes of kind type;
// those it leaves out take the alternative's setting, their default, or float32 or int32 where that is allowed. The
// same seed gives the same cases.
std::vector<SampledCase> SampleInputs(const OpDef& op, const AttrMap& types, uint64_t seed);

// For each alternative and each size in it that is free: ordinary values, with that size in the thousands (or, where a
// name stands for any number of sizes, the last of them), so that sums along it are long.
std::vector<SampledCase> SampleLongInputs(const OpDef& op, const AttrMap& types, uint64_t seed);

}  // namespace plumb
