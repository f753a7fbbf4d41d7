#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> ArrayInplace() {
  static const OpRow rows[] = {
      {.signature = "InplaceUpdate(x: T, i: int32, v: T) -> (y: T)",
       .attrs = "T: type",
       .doc = "x with row i[j] replaced by row j of v, for each j in order. Indices count modulo the rows.",
       .cpu = "T in [numbers, bool, string]",
       .gpu = "T in [floats, bool, int64]",
       .shape = "[d...] ? ? -> [d...]",
       .samples = {"[R b] [n] in -9..9 [n b]", "[R a b] [2] in 0..R [2 a b]"}},
      {.signature = "InplaceAdd(x: T, i: int32, v: T) -> (y: T)",
       .attrs = "T: type",
       .doc = "x with row j of v added to row i[j], for each j in order. Indices count modulo the rows.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, int64]",
       .shape = "[d...] ? ? -> [d...]",
       .accuracy = Summation(),
       .samples = {"[R b] [n] in -9..9 [n b]", "[R a b] [2] in 0..R [2 a b]"}},
      {.signature = "InplaceSub(x: T, i: int32, v: T) -> (y: T)",
       .attrs = "T: type",
       .doc = "x with row j of v subtracted from row i[j], for each j in order. Indices count modulo the rows.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, int64]",
       .shape = "[d...] ? ? -> [d...]",
       .accuracy = Summation(),
       .samples = {"[R b] [n] in -9..9 [n b]", "[R a b] [2] in 0..R [2 a b]"}},
  };
  return rows;
}

}  // namespace plumb::topics
