#include "spec/ops/families.h"
#include "spec/ops/gradients.h"
#include "spec/ops/shape_rules.h"

namespace plumb {

std::span<const OpRow> MatrixOps() {
  static const OpRow rows[] = {
      {.signature = "MatMul(a: T, b: T) -> (product: T)",
       .attrs = "transpose_a: bool = false; transpose_b: bool = false; T: type in [floats, complexes, int32, "
                "int64, uint8, uint16, uint32, uint64]",
       .doc = "The matrix product of a and b, each taken transposed if so asked.",
       .shape_fn = shape_rules::MatMul,
       .accuracy = Summation(),
       .gradient = MatMulGradient,
       .sample = "[m k] [k n] | transpose_a=true: [k m] [k n] | transpose_b=true: [m k] [n k] | transpose_a=true "
                 "transpose_b=true: [k m] [n k] | [7 33] [33 17]"},
      {.signature = "BatchMatMul(x: T, y: T) -> (output: T)",
       .attrs = "T: type in [floats, complexes, int32, int64]; adj_x: bool = false; adj_y: bool = false",
       .doc = "The matrix products of two batches of matrices with equal batch dimensions; adj_x and adj_y "
              "take the conjugate transpose.",
       .shape_fn = shape_rules::BatchMatMul,
       .accuracy = Summation(),
       .gradient = BatchMatMulGradient,
       .sample = "[b... m k] [b... k n] | adj_x=true: [b k m] [b k n] | adj_y=true: [b m k] [b n k]"},
      {.signature = "BatchMatMulV2(x: T, y: T) -> (output: T)",
       .attrs = "T: type in [floats, complexes, int16, int32, int64, uint8, uint16, uint32, uint64]; adj_x: "
                "bool = false; adj_y: bool = false",
       .doc = "The matrix products of two batches of matrices whose batch dimensions broadcast; adj_x and "
              "adj_y take the conjugate transpose.",
       .shape_fn = shape_rules::BatchMatMulV2,
       .accuracy = Summation(),
       .gradient = BatchMatMulV2Gradient,
       .sample = "[b... m k] [b... k n] | [a 1 m k] [b k n] | [m k] [a b k n] | adj_x=true: [b k m] [1 k n] | "
                 "adj_y=true: [b m k] [n k]"},
  };
  return rows;
}

}  // namespace plumb
