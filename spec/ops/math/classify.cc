#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> MathClassify() {
  static const OpRow rows[] = {
      {.signature = "IsFinite(x: T) -> (y: bool)",
       .attrs = "T: type in [floats]",
       .doc = "Whether x is neither infinite nor NaN.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]"},
      {.signature = "IsInf(x: T) -> (y: bool)",
       .attrs = "T: type in [floats]",
       .doc = "Whether x is infinite.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]"},
      {.signature = "IsNan(x: T) -> (y: bool)",
       .attrs = "T: type in [floats]",
       .doc = "Whether x is NaN.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]"},
  };
  return rows;
}

}  // namespace plumb::topics
