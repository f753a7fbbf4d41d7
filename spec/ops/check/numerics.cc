#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Values GradientBy(const char* op, Gradient& g) {
  const char* message = "Not a number (NaN) or infinity (Inf) values detected in gradient.";
  return {g.Call(op, {g.dy()}, {{"message", message}})};
}
Values CheckNumericsGradient(Gradient& g) { return GradientBy("CheckNumerics", g); }
Values CheckNumericsV2Gradient(Gradient& g) { return GradientBy("CheckNumericsV2", g); }

}  // namespace

std::span<const OpRow> CheckNumerics() {
  static const OpRow rows[] = {
      {.signature = "CheckNumerics(tensor: T) -> (output: T) stateful hands_on",
       .attrs = "T: type in [floats]; message: string",
       .doc = "Gives its input; fails with INVALID_ARGUMENT and `message` if an element is infinite or NaN.",
       .gpu = "all",
       .shape = "[d...] -> [d...]",
       .gradient = CheckNumericsGradient,
       .samples = {"message='checked': [d...] finite"}},
      {.signature = "CheckNumericsV2(tensor: T) -> (output: T) stateful hands_on",
       .attrs = "T: type in [floats]; message: string",
       .doc = "CheckNumerics, whose message tells the sign of infinities.",
       .gpu = "all",
       .shape = "[d...] -> [d...]",
       .gradient = CheckNumericsV2Gradient,
       .samples = {"message='checked': [d...] finite"}},
  };
  return rows;
}

}  // namespace plumb::topics
