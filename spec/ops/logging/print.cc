#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes PrintV2Shapes(const ShapeContext& c) {
  RequireScalar(c, 0);
  return {};
}

// What is only shown has none.
Values PrintGradient(Gradient& g) {
  Values values(static_cast<size_t>(g.num_inputs()));
  values[0] = g.raw_dy();
  return values;
}

}  // namespace

std::span<const OpRow> LoggingPrint() {
  static const OpRow rows[] = {
      {.signature = "Print(input: T, data: list(U)) -> (output: T) stateful hands_on",
       .attrs = "T: type; U: list(type) >= 0; message: string = ''; first_n: int = -1; summarize: int = 3",
       .doc = "Gives its input. The first first_n times, or always where it is negative, message and `summarize` "
              "elements of each of data are printed on the standard error stream.",
       .shape_fn = LikeFirst,
       .gradient = PrintGradient,
       .samples = {"U=[float32, string] first_n=0: [d...] ([n] [])", "U=[] first_n=0: [] ()"}},
      {.signature = "PrintV2(input: string) -> () stateful",
       .attrs = "output_stream: string = 'stderr'; end: string = '\\n'",
       .doc = "Writes the text, and `end` behind it, to 'stdout', 'stderr', 'log(info)', 'log(warning)', 'log(error)', "
              "or at the end of the file that 'file://path' names.",
       .shape_fn = PrintV2Shapes,
       .samples = {"output_stream='stdout'/'stderr'/'log(info)'/'log(warning)'/'log(error)' end='': ''"}},
  };
  return rows;
}

}  // namespace plumb::topics
