#include "spec/ops/matrix/products.h"
#include "spec/ops/op_def.h"
#include "spec/ops/quantization/ranges.h"

namespace plumb::topics {
namespace {

Shapes ProductShapes(const ShapeContext& c) {
  RequireScalars(c, 2, 5);
  return WithScalarRange(
      ProductDims(c, WithRank(c, 0, 2), c.attr<bool>("transpose_a"), WithRank(c, 1, 2), c.attr<bool>("transpose_b")));
}

}  // namespace

std::span<const OpRow> QuantizationQuantizedMatmul() {
  static const OpRow rows[] = {
      {.signature = "QuantizedMatMul(a: T1, b: T2, min_a: float32, max_a: float32, min_b: float32, max_b: float32) -> "
                    "(out: Toutput, min_out: float32, max_out: float32)",
       .attrs = "T1: type in [quantized]; T2: type in [quantized]; Toutput: type = qint32 in [quantized]; "
                "transpose_a: bool = false; transpose_b: bool = false; Tactivation: type = quint8 in [quantized]",
       .doc =
           "The product of matrices of codes, each taken from the code of 0 and transposed if so asked, modulo 2^32.",
       .cpu = "T1 in [quint8]; T2 in [quint8]; Toutput in [qint32]",
       .shape_fn = ProductShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .samples = {"T1 in [quint8] T2 in [quint8] transpose_a=false transpose_b=false: [m k] [k n] -1 2 -3 1",
                   "T1 in [quint8] T2 in [quint8] transpose_a=true transpose_b=false: [k m] [k n] 0 6 1 2",
                   "T1 in [quint8] T2 in [quint8] transpose_a=false transpose_b=true: [m k] [n k] -2 -1 -1 1",
                   "T1 in [quint8] T2 in [quint8] transpose_a=true transpose_b=true: [k m] [n k] -1 1 0 1"}},
  };
  return rows;
}

}  // namespace plumb::topics
