// Mathematics beside that of the catalogue.
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> Math() {
  static constexpr Signature kSignatures[] = {
      {"ApproxTopK(input: T) -> (values: T, indices: int32)",
       "k: int >= 0; reduction_dimension: int = -1; recall_target: float = 0.949999988079071; is_max_k: bool = true; "
       "reduction_input_size_override: int = -1; aggregate_to_topk: bool = true; T: type in [float16, bfloat16, "
       "float32]"},
      {"BatchCholesky(input: T) -> (output: T)", "T: type in [float64, float32]", {13, "Use Cholesky instead."}},
      {"BatchCholeskyGrad(l: T, grad: T) -> (output: T)",
       "T: type in [float32, float64]",
       {13, "Use CholeskyGrad instead."}},
      {"BatchFFT(input: complex64) -> (output: complex64)", "", {15, "Use FFT"}},
      {"BatchFFT2D(input: complex64) -> (output: complex64)", "", {15, "Use FFT2D"}},
      {"BatchFFT3D(input: complex64) -> (output: complex64)", "", {15, "Use FFT3D"}},
      {"BatchIFFT(input: complex64) -> (output: complex64)", "", {15, "Use IFFT"}},
      {"BatchIFFT2D(input: complex64) -> (output: complex64)", "", {15, "Use IFFT2D"}},
      {"BatchIFFT3D(input: complex64) -> (output: complex64)", "", {15, "Use IFFT3D"}},
      {"BatchMatMulV3(x: Ta, y: Tb) -> (output: Tout)",
       "Ta: type in [floats, complexes, uint8, int8, int16, int32, int64]; Tb: type in [floats, complexes, uint8, "
       "int8, int16, int32, int64]; Tout: type in [floats, complexes, int16, int32, int64]; adj_x: bool = false; "
       "adj_y: bool = false"},
      {"BatchMatrixBandPart(input: T, num_lower: int64, num_upper: int64) -> (band: T)",
       "T: type",
       {14, "Use MatrixBandPart"}},
      {"BatchMatrixDeterminant(input: T) -> (output: T)",
       "T: type in [complexes, float32, float64]",
       {13, "Use MatrixDeterminant instead."}},
      {"BatchMatrixDiag(diagonal: T) -> (output: T)", "T: type", {14, "Use MatrixDiag"}},
      {"BatchMatrixDiagPart(input: T) -> (diagonal: T)", "T: type", {14, "Use MatrixDiagPart"}},
      {"BatchMatrixInverse(input: T) -> (output: T)",
       "adjoint: bool = false; T: type in [float64, float32]",
       {13, "Use MatrixInverse instead."}},
      {"BatchMatrixSetDiag(input: T, diagonal: T) -> (output: T)", "T: type", {14, "Use MatrixSetDiag"}},
      {"BatchMatrixSolve(matrix: T, rhs: T) -> (output: T)",
       "adjoint: bool = false; T: type in [float64, float32]",
       {13, "Use MatrixSolve instead."}},
      {"BatchMatrixSolveLs(matrix: T, rhs: T, l2_regularizer: float64) -> (output: T)",
       "T: type in [float64, float32]; fast: bool = true",
       {13, "Use MatrixSolveLs instead."}},
      {"BatchMatrixTriangularSolve(matrix: T, rhs: T) -> (output: T)",
       "lower: bool = true; adjoint: bool = false; T: type in [float64, float32]",
       {13, "Use MatrixTriangularSolve instead."}},
      {"BatchSelfAdjointEig(input: T) -> (output: T)",
       "T: type in [float64, float32]",
       {11, "Use SelfAdjointEigV2 instead."}},
      {"BatchSelfAdjointEigV2(input: T) -> (e: T, v: T)",
       "compute_v: bool = true; T: type in [float64, float32]",
       {13, "Use SelfAdjointEigV2 instead."}},
      {"BatchSvd(input: T) -> (s: T, u: T, v: T)",
       "compute_uv: bool = true; full_matrices: bool = false; T: type in [complexes, float64, float32]",
       {13, "Use Svd instead."}},
      {"BesselI0e(x: T) -> (y: T)", "T: type in [floats]"},
      {"BesselI1e(x: T) -> (y: T)", "T: type in [floats]"},
      {"BesselJ0(x: T) -> (y: T)", "T: type in [floats]"},
      {"BesselJ1(x: T) -> (y: T)", "T: type in [floats]"},
      {"BesselK0(x: T) -> (y: T)", "T: type in [floats]"},
      {"BesselK0e(x: T) -> (y: T)", "T: type in [floats]"},
      {"BesselK1(x: T) -> (y: T)", "T: type in [floats]"},
      {"BesselK1e(x: T) -> (y: T)", "T: type in [floats]"},
      {"BesselY0(x: T) -> (y: T)", "T: type in [floats]"},
      {"BesselY1(x: T) -> (y: T)", "T: type in [floats]"},
      {"CholeskyGrad(l: T, grad: T) -> (output: T)", "T: type in [float16, float32, float64]"},
      {"Dawsn(x: T) -> (y: T)", "T: type in [floats]"},
      {"Expint(x: T) -> (y: T)", "T: type in [floats]"},
      {"FresnelCos(x: T) -> (y: T)", "T: type in [floats]"},
      {"FresnelSin(x: T) -> (y: T)", "T: type in [floats]"},
      {"IsotonicRegression(input: T) -> (output: output_dtype, segments: int32)",
       "T: type in [floats, ints]; output_dtype: type = float32 in [floats]"},
      {"MatrixExponential(input: T) -> (output: T)",
       "T: type in [complexes, float64, float32, float16]",
       {27, "Use Python implementation tf.linalg.matrix_exponential instead."}},
      {"SegmentProdV2(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: T)",
       "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; Tnumsegments: type = int32 in [int32, "
       "int64]"},
      {"SegmentSumV2(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: T)",
       "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; Tnumsegments: type = int32 in [int32, "
       "int64]"},
      {"SelfAdjointEig(input: T) -> (output: T)",
       "T: type in [float64, float32, float16]",
       {11, "Use SelfAdjointEigV2 instead."}},
      {"Spence(x: T) -> (y: T)", "T: type in [floats]"},
      {"TopKUnique(input: float32) -> (topk: float32, topk_indices: int32)", "k: int"},
      {"TopKWithUnique(input: float32) -> (topk: float32, topk_indices: int32)", "k: int"},
  };
  return kSignatures;
}

}  // namespace plumb::known
