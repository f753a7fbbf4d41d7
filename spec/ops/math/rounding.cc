#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Values FloorGradient(Gradient&) { return {GradientValue::None()}; }
Values CeilGradient(Gradient&) { return {GradientValue::None()}; }
Values RintGradient(Gradient&) { return {GradientValue::None()}; }
Values RoundGradient(Gradient&) { return {GradientValue::None()}; }
Values TruncateDivGradient(Gradient&) { return {GradientValue::None(), GradientValue::None()}; }

}  // namespace

std::span<const OpRow> MathRounding() {
  static const OpRow rows[] = {
      {.signature = "Floor(x: T) -> (y: T)",
       .attrs = "T: type in [floats]",
       .doc = "The largest whole number that is not above x.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .gradient = FloorGradient},
      {.signature = "Ceil(x: T) -> (y: T)",
       .attrs = "T: type in [floats]",
       .doc = "The smallest whole number that is not below x.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .gradient = CeilGradient},
      {.signature = "Rint(x: T) -> (y: T)",
       .attrs = "T: type in [floats]",
       .doc = "The whole number that is nearest to x; of two, the even one.",
       .cpu = "T in [float32, float64]",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .gradient = RintGradient},
      {.signature = "Round(x: T) -> (y: T)",
       .attrs = "T: type in [floats, int8, int16, int32, int64, complexes]",
       .doc = "The whole number that is nearest to x; of two, the even one.",
       .cpu = "T in [floats, int32, int64]",
       .gpu = "T in [floats, int64]",
       .shape = "[d...] -> [d...]",
       .gradient = RoundGradient},
      {.signature = "TruncateDiv(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [numbers]",
       .doc = "x / y without its fraction, broadcast. Dividing an integer by zero is an error.",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [float32, float64, int64]",
       .shape_fn = Broadcasting,
       .gradient = TruncateDivGradient,
       .samples = NonzeroSamples()},
      {.signature = "TruncateMod(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [int32, int64, floats]",
       .doc = "The remainder of dividing x by y towards zero, broadcast: it has the sign of x. An integer modulo zero "
              "is an error.",
       .cpu = "T in [float32, float64, int32, int64]",
       .gpu = "T in [floats, int64]",
       .shape_fn = Broadcasting,
       .cost = 8,
       .samples = NonzeroSamples()},
      {.signature = "Mod(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [int32, int64, float16, float16, bfloat16, float32, float64]",
       .doc = "The remainder of dividing x by y towards zero, broadcast: it has the sign of x. An integer modulo zero "
              "is an error.",
       .cpu = "T in [float32, float64, int32, int64]",
       .gpu = "T in [floats, int64]",
       .shape_fn = Broadcasting,
       .cost = 8,
       .samples = NonzeroSamples()},
  };
  return rows;
}

}  // namespace plumb::topics
