#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> MathOps() {
  static const OpRow rows[] = {
      {.signature = "Abs(x: T) -> (y: T)", .attrs = "T: type in [floats, int8, int16, int32, int64]"},
      {.signature = "Neg(x: T) -> (y: T)", .attrs = "T: type in [floats, complexes, int8, int16, int32, int64]"},
      {.signature = "Sign(x: T) -> (y: T)", .attrs = "T: type in [floats, complexes, int8, int16, int32, int64]"},
      {.signature = "Floor(x: T) -> (y: T)", .attrs = "T: type in [floats]"},
      {.signature = "Square(x: T) -> (y: T)", .attrs = "T: type in [numbers]"},
      {.signature = "Sqrt(x: T) -> (y: T)", .attrs = "T: type in [floats, complexes]"},
      {.signature = "SqrtGrad(y: T, dy: T) -> (z: T)", .attrs = "T: type in [floats, complexes]"},
      {.signature = "Rsqrt(x: T) -> (y: T)", .attrs = "T: type in [floats, complexes]"},
      {.signature = "RsqrtGrad(y: T, dy: T) -> (z: T)", .attrs = "T: type in [floats, complexes]"},
      {.signature = "Exp(x: T) -> (y: T)", .attrs = "T: type in [floats, complexes]"},
      {.signature = "Log(x: T) -> (y: T)", .attrs = "T: type in [floats, complexes]"},
      {.signature = "Log1p(x: T) -> (y: T)", .attrs = "T: type in [floats, complexes]"},
      {.signature = "Conj(input: T) -> (output: T)", .attrs = "T: type = complex64 in [complexes, variant]"},
      {.signature = "Cast(x: SrcT) -> (y: DstT)", .attrs = "SrcT: type; DstT: type; Truncate: bool = false"},
      {.signature = "Add(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [floats, complexes, uint8, int8, int16, int32, int64, string]"},
      {.signature = "AddV2(x: T, y: T) -> (z: T) commutative aggregate", .attrs = "T: type in [numbers]"},
      {.signature = "Sub(x: T, y: T) -> (z: T)", .attrs = "T: type in [numbers]"},
      {.signature = "Mul(x: T, y: T) -> (z: T) commutative", .attrs = "T: type in [numbers]"},
      {.signature = "Div(x: T, y: T) -> (z: T)", .attrs = "T: type in [numbers]"},
      {.signature = "RealDiv(x: T, y: T) -> (z: T)", .attrs = "T: type in [numbers]"},
      {.signature = "FloorDiv(x: T, y: T) -> (z: T)", .attrs = "T: type in [numbers]"},
      {.signature = "FloorMod(x: T, y: T) -> (z: T)", .attrs = "T: type in [floats, ints]"},
      {.signature = "Pow(x: T, y: T) -> (z: T)", .attrs = "T: type in [floats, complexes, int8, int16, int32, int64]"},
      {.signature = "Maximum(x: T, y: T) -> (z: T)", .attrs = "T: type in [floats, ints]"},
      {.signature = "Minimum(x: T, y: T) -> (z: T)", .attrs = "T: type in [floats, ints]"},
      {.signature = "SquaredDifference(x: T, y: T) -> (z: T) commutative",
       .attrs = "T: type in [floats, complexes, int32, int64]"},
      {.signature = "AddN(inputs: T*N) -> (sum: T) commutative aggregate",
       .attrs = "N: int >= 1; T: type in [numbers, quantized, variant]"},
      {.signature = "AccumulateNV2(inputs: T*N) -> (sum: T) commutative aggregate",
       .attrs = "N: int >= 1; T: type in [numbers, quantized]; shape: shape"},
  };
  return rows;
}

}  // namespace plumb
