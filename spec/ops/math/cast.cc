#include "spec/ops/gradient_helpers.h"
#include "spec/ops/known_values.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

// Between types that can carry a gradient; otherwise none (rule D7).
Values CastGradient(Gradient& g) {
  const DType from = g.dtype(g.x()), to = g.dtype(g.y());
  const bool differentiable = (IsFloating(from) || IsComplex(from)) && (IsFloating(to) || IsComplex(to));
  if (!differentiable) return {GradientValue::None()};
  return {g.Call("Cast", {g.dy()}, {{"DstT", from}})};
}

// To floating point too: the bounds of a Range are often cast.
std::optional<Tensor> FoldCast(const Folding& f) { return KnownTensor(f, f.input(0).shape(), f.values(0)); }

}  // namespace

std::span<const OpRow> MathCast() {
  static const OpRow rows[] = {
      {.signature = "Cast(x: SrcT) -> (y: DstT) hands_on",
       .attrs = "SrcT: type; DstT: type; Truncate: bool = false",
       .doc = "x as DstT. A floating-point number becomes an integer by dropping its fraction, an integer too "
              "wide wraps around, a complex number loses its imaginary part; anything but 0 is true. "
              "`Truncate` drops mantissa bits instead of rounding.",
       .gpu = "SrcT in [floats, bool, int8, int16, int32, int64, uint8, uint16]; DstT in [floats, bool, int8, int16, "
              "int32, int64, uint8, uint16]",
       .shape = "[d...] -> [d...]",
       .fold = FromValues(FoldCast),
       .gradient = CastGradient,
       .samples = {"SrcT in [numbers, bool] DstT in [numbers, bool]: [d...] in 0..100",
                   "SrcT in [floats] DstT in [floats]: [d...]", "SrcT in [ints] DstT in [ints]: [d...]",
                   "SrcT in [floats] DstT in [int8, int16, int32, int64]: [d...] in -100..100"}},
      {.signature = "_HostCast(x: SrcT) -> (y: DstT)",
       .attrs = "SrcT: type; DstT: type; Truncate: bool = false",
       .doc = "Cast of a value in the host's memory.",
       .shape = "[d...] -> [d...]",
       .fold = FromValues(FoldCast),
       .samples = {"SrcT in [numbers, bool] DstT in [numbers, bool]: [d...] in 0..100",
                   "SrcT in [floats] DstT in [floats]: [d...]", "SrcT in [ints] DstT in [ints]: [d...]",
                   "SrcT in [floats] DstT in [int8, int16, int32, int64]: [d...] in -100..100"}},
  };
  return rows;
}

}  // namespace plumb::topics
