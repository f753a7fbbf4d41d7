#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Values AddNGradient(Gradient& g) { return Values(g.num_inputs(), g.dy()); }
Values AccumulateNV2Gradient(Gradient& g) { return Values(g.num_inputs(), g.dy()); }

}  // namespace

std::span<const OpRow> MathAddN() {
  static const OpRow rows[] = {
      {.signature = "AddN(inputs: T*N) -> (sum: T) commutative aggregate hands_on",
       .attrs = "N: int >= 1; T: type in [numbers, quantized, variant]",
       .doc = "The sum of the inputs, which have one shape; of tensor lists, element by element.",
       .cpu = "T in [numbers, variant]",
       .gpu = "T in [floats, complexes, int64, variant]",
       .shape = "[d...] -> [d...]",
       .accuracy = Summation(),
       .gradient = AddNGradient,
       .samples = {"N=1/2/3 T in [numbers]: [d...]",
                   "l = TensorListReserve element_dtype=float32 shape_type=int32: {2} 3; "
                   "a = TensorListSetItem element_dtype=float32: l 1 [2]; "
                   "b = TensorListSetItem element_dtype=float32: a 2 [2]; "
                   "N=2 T in [variant]: (a b); s = TensorListStack element_dtype=float32: this {2}",
                   "l = TensorListReserve element_dtype=float32 shape_type=int32: {70000} 1; "
                   "a = TensorListSetItem element_dtype=float32: l 0 [70000]; "
                   "N=2 T in [variant]: (a a); s = TensorListStack element_dtype=float32: this {70000}"}},
      {.signature = "AccumulateNV2(inputs: T*N) -> (sum: T) commutative aggregate",
       .attrs = "N: int >= 1; T: type in [numbers, quantized]; shape: shape",
       .doc = "The sum of the inputs, which have the shape `shape`.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, complexes, int64]",
       .shape_fn = OfShapeAttr,
       .strictness = Strictness::kRepeatsDeclaration,
       .accuracy = Summation(),
       .gradient = AccumulateNV2Gradient,
       .samples = {"N=3 shape=[d...]: [d...]"}},
  };
  return rows;
}

}  // namespace plumb::topics
