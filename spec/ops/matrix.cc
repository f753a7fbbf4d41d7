#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> MatrixOps() {
  static const OpRow rows[] = {
      {.signature = "MatMul(a: T, b: T) -> (product: T)",
       .attrs = "transpose_a: bool = false; transpose_b: bool = false; T: type in [floats, complexes, int32, "
                "int64, uint8, uint16, uint32, uint64]"},
      {.signature = "BatchMatMul(x: T, y: T) -> (output: T)",
       .attrs = "T: type in [floats, complexes, int32, int64]; adj_x: bool = false; adj_y: bool = false"},
      {.signature = "BatchMatMulV2(x: T, y: T) -> (output: T)",
       .attrs = "T: type in [floats, complexes, int16, int32, int64, uint8, uint16, uint32, uint64]; adj_x: "
                "bool = false; adj_y: bool = false"},
  };
  return rows;
}

}  // namespace plumb
