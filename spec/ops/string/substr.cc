#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// TensorFlow's rule takes a size that it does not know for another than any that it knows.
Shapes SubstrShapes(const ShapeContext& c) {
  const PartialShape &pos = c.input(1), &len = c.input(2);
  bool fits = !pos.has_rank() || !len.has_rank() || pos.rank() == len.rank();
  for (int i = 0; fits && pos.has_rank() && i < pos.rank(); ++i)
    fits = pos.dim(i) == (len.has_rank() ? len.dim(i) : -1);
  Require(fits, "Substr: pos and len must have one shape, known alike, not ", pos.ToString(), " and ", len.ToString());
  return {Broadcast(c, c.input(0), pos)};
}

}  // namespace

std::span<const OpRow> StringSubstr() {
  static const OpRow rows[] = {
      {.signature = "Substr(input: string, pos: T, len: T) -> (output: string)",
       .attrs = "T: type in [int32, int64]; unit: string = 'BYTE' in ['BYTE', 'UTF8_CHAR']",
       .doc = "len bytes, or characters, of each string from pos on, or as many as there are; the input broadcasts "
              "with pos and len, which have one shape. A negative pos counts from the end. Of bytes a negative len "
              "takes all.",
       .cpu = "T in [int32, int64]",
       .shape_fn = SubstrShapes,
       .samples = {"unit='BYTE'/'UTF8_CHAR': [d...] 0 2", "unit='BYTE'/'UTF8_CHAR': {'graph', 'abcd'} {1, -2} {2, 3}",
                   "unit='BYTE'/'UTF8_CHAR': {{'graph', 'tensor'}, {'abcdef', x'ceb1ceb261c3bc'}} {1, -2} {2, 1}",
                   "unit='BYTE'/'UTF8_CHAR': 'tensor' [m n] in -3..6 [m n] in 0..9", "[n] 0 [] in -3..9",
                   "unit='BYTE'/'UTF8_CHAR': [n] [n] in 0..1 [n] in -2..4",
                   "unit='UTF8_CHAR': x'61ffce62f09f9880' [n] in -5..6 [n] in 0..4"}},
      {.signature = "StringLength(input: string) -> (output: int32)",
       .attrs = "unit: string = 'BYTE' in ['BYTE', 'UTF8_CHAR']",
       .doc = "How many bytes, or characters, each string has.",
       .shape = "[d...] -> [d...]",
       .samples = {"unit='BYTE'/'UTF8_CHAR': [d...]", "unit='UTF8_CHAR': {x'61ffce62f09f9880', x'8080c3bc'}"}},
  };
  return rows;
}

}  // namespace plumb::topics
