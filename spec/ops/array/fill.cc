#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes FillShapes(const ShapeContext& c) {
  WithRank(c, 0, 1);
  RequireScalar(c, 1);
  if (const auto dims = ConstantInts(c, 0)) {
    for (const int64_t dim : *dims) Require(dim >= 0, InputName(c, 0), " holds the dimension ", dim);
  }
  return {ConstantShape(c, 0)};
}

Shapes EmptyShapes(const ShapeContext& c) {
  WithRank(c, 0, 1);
  return {ConstantShape(c, 0)};
}

Values FillGradient(Gradient& g) {
  const Endpoint zero = g.Scalar(0, DType::kInt32), one = g.Scalar(1, DType::kInt32);
  const Endpoint axes = g.Call("Range", {zero, g.Call("Rank", {g.dy()}), one});
  return {GradientValue::None(), g.Call("Sum", {g.dy(), axes})};
}

}  // namespace

std::span<const OpRow> ArrayFill() {
  static const OpRow rows[] = {
      {.signature = "ZerosLike(x: T) -> (y: T)",
       .attrs = "T: type",
       .doc = "Zeros (false, empty strings) in the shape of x; of a tensor list, a list of zeros.",
       .cpu = "T in [numbers, bool, string, variant]",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64, variant]",
       .shape = "[d...] -> [d...]",
       .gradient = BlocksGradient(),
       .samples = {"T in [numbers, bool, string]: [d...]",
                   "l = TensorListReserve element_dtype=float32 shape_type=int32: {2} 3; "
                   "a = TensorListSetItem element_dtype=float32: l 1 [2]; "
                   "T in [variant]: a; s = TensorListStack element_dtype=float32: this {2}"}},
      {.signature = "OnesLike(x: T) -> (y: T)",
       .attrs = "T: type in [numbers, bool]",
       .doc = "Ones (true) in the shape of x.",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape = "[d...] -> [d...]",
       .gradient = BlocksGradient()},
      {.signature = "Fill(dims: index_type, value: T) -> (output: T)",
       .attrs = "T: type; index_type: type = int32 in [int32, int64]",
       .doc = "A tensor of the shape `dims` with `value` everywhere. A negative dimension is an error.",
       .cpu = "T in [numbers, quantized, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape_fn = FillShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = FillGradient,
       .samples = {"{a, 3} []", "{} []"}},
      {.signature = "Empty(shape: int32) -> (output: dtype) stateful",
       .attrs = "dtype: type; init: bool = false",
       .doc = "A tensor of the shape, for others to write into: of zeros (false, empty strings), with init and, in "
              "this house, without it.",
       .cpu = "dtype in [bfloat16, bool, float16, float32, float64, int32, int64, string, uint8]",
       .gpu = "dtype in [floats, bool, int64, uint8]",
       .shape_fn = EmptyShapes,
       .samples = {"init=true: {a, 3}", "init=false: {}"}},
  };
  return rows;
}

}  // namespace plumb::topics
