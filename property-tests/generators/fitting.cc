#include "property-tests/generators/fitting.h"

namespace plumb::property {
namespace {

Endpoint Ints(GraphBuilder& builder, const Shape& shape, const std::vector<int32_t>& values) {
  return builder.Constant(MakeTensor<int32_t>(shape, std::span(values)));
}

}  // namespace

std::optional<Endpoint> Fitted(GraphBuilder& builder, Tape& tape, Endpoint value, DType dtype, const Shape& shape) {
  const int64_t from = builder.shape(value).ToShape().elements(), to = shape.elements();
  const bool is_cast = builder.dtype(value) != dtype;
  if (from == 0 || to == 0 || (is_cast && !(IsFloating(dtype) && IsFloating(builder.dtype(value)))))
    return std::nullopt;
  if (is_cast) value = builder.Call("Cast", {value}, {{"DstT", dtype}});
  if (from == to) {
    const std::vector<int32_t> dims(shape.dims().begin(), shape.dims().end());
    return builder.Call("Reshape", {value, Ints(builder, {shape.rank()}, dims)});
  }
  const Endpoint flat = builder.Call("Reshape", {value, Ints(builder, {1}, {-1})});
  std::vector<int32_t> chosen;
  const int first = tape.Below(static_cast<int>(from)), stride = 1 + tape.Below(3);
  for (int64_t i = 0; i < to; ++i) chosen.push_back(static_cast<int32_t>((first + i * stride) % from));
  return builder.Call("GatherV2", {flat, Ints(builder, shape, chosen), builder.Constant(MakeScalar<int32_t>(0))});
}

bool TakesFitted(const Declares& declares, DType from, DType to) {
  return TakesAll(declares, [&](GraphBuilder& builder) {
    Tape simplest({});
    Fitted(builder, simplest, builder.Constant(Zeros(from, {2})), to, {3});
  });
}

}  // namespace plumb::property
