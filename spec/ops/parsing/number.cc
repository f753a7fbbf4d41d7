#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> ParsingNumber() {
  static const OpRow rows[] = {
      {.signature = "StringToNumber(string_tensor: string) -> (output: out_type)",
       .attrs = "out_type: type = float32 in [float32, float64, int32, int64]",
       .doc = "The numbers that strings say, in decimal or, of floating-point types, also hexadecimal digits; rounded "
              "to nearest. Space around them is ignored.",
       .cpu = "out_type in [float32, float64, int32, int64]",
       .shape = "[d...] -> [d...]",
       .gradient = BlocksGradient(),
       .samples = {"{'0', ' 12 ', '-7', '2147483647'}", "out_type in [int64]: '-9223372036854775808'",
                   "out_type in [float32, float64]: {{'1e3', '-.5', '0x1F'}, {'inf', '-INF', 'nAn'}, {'3.40283e+38', "
                   "'1e-46', '16777217'}, {'1.', '+2E-2', ' 0.1 '}, {'1e400', '-1e-400', '4.9e-324'}}",
                   "s = AsString T=int32: [n] in -99..99; s"}},
  };
  return rows;
}

}  // namespace plumb::topics
