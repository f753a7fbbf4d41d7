#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

std::span<const OpRow> RandomEntropy() {
  static const OpRow rows[] = {
      {.signature = "NonDeterministicInts(shape: shape_dtype) -> (output: dtype) stateful",
       .attrs = "dtype: type = int64; shape_dtype: type = int64",
       .doc = "Numbers drawn evenly from all of the type, which no seed fixes.",
       .cpu = "dtype in [int32, int64, uint32, uint64]; shape_dtype in [int32, int64]",
       .shape_fn = OfShapeInput,
       .accuracy = Statistical(),
       .samples = {"-: no two runs give the same numbers"}},
  };
  return rows;
}

}  // namespace plumb::topics
