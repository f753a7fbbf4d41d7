#include "spec/ops/op_def.h"
#include "spec/ops/quantization/ranges.h"

namespace plumb::topics {
namespace {

Shapes MultiplicationShapes(const ShapeContext &c) { return WithScalarRange(Broadcast(c, c.input(0), c.input(1))); }

Shapes SumShapes(const ShapeContext &c) {
  RequireScalars(c, 2, 5);
  return MultiplicationShapes(c);
}

Shapes BiasShapes(const ShapeContext &c) {
  RequireScalars(c, 2, 5);
  const PartialShape &input = WithRankAtLeast(c, 0, 2);
  const int64_t bias = WithRank(c, 1, 1).dim(0);
  if (!input.has_rank()) return WithScalarRange(input);
  const int last = input.rank() - 1;
  return WithScalarRange(WithDim(input, last, MergeDims(c, bias, input.dim(last))));
}

}  // namespace

std::span<const OpRow> QuantizationQuantizedArithmetic() {
  static const OpRow rows[] = {
      {.signature = "QuantizedBiasAdd(input: T1, bias: T2, min_input: float32, max_input: float32, min_bias: float32, "
                    "max_bias: float32) -> (output: out_type, min_out: float32, max_out: float32)",
       .attrs = "T1: type in [quantized]; T2: type in [quantized]; out_type: type in [quantized]",
       .doc = "The sum of numbers and the bias of their channel, as codes of 32 bits in a range around 0 that is 2^17 "
              "times as wide as the wider one.",
       .cpu = "T1 in [qint8, quint8]; T2 in [qint8, quint8]; out_type in [qint32]",
       .shape_fn = BiasShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .samples = {"T1 in [quint8] T2 in [quint8] out_type in [qint32]: [a b C] [C] -1 2 -3 1",
                   "T1 in [qint8] T2 in [qint8] out_type in [qint32]: [a C] [C] 0 6 1 2"}},
      {.signature = "QuantizedAdd(x: T1, y: T2, min_x: float32, max_x: float32, min_y: float32, max_y: float32) -> "
                    "(z: Toutput, min_z: float32, max_z: float32)",
       .attrs = "T1: type in [quantized]; T2: type in [quantized]; Toutput: type = qint32 in [quantized]",
       .doc = "The sums of numbers, as codes of 32 bits in a range around 0 that is 2^14 times as wide as the wider "
              "one. Codes are moved there by whole steps. Operands meet as those of QuantizedMul do.",
       .cpu = "T1 in [quint8]; T2 in [quint8]; Toutput in [qint32]",
       .shape_fn = SumShapes,
       .accuracy = Composed(1),
       .samples = {"T1 in [quint8] T2 in [quint8]: [a b] [a b] -1 2 -3 1",
                   "T1 in [quint8] T2 in [quint8]: [A B] [] 0 6 1 2",
                   "T1 in [quint8] T2 in [quint8]: [B] [A B] -3 -2 -1 1",
                   "T1 in [quint8] T2 in [quint8]: [2 3] [2 1] -1 1 -1 1"}},
      {.signature = "QuantizedMul(x: T1, y: T2, min_x: float32, max_x: float32, min_y: float32, max_y: float32) -> "
                    "(z: Toutput, min_z: float32, max_z: float32)",
       .attrs = "T1: type in [quantized]; T2: type in [quantized]; Toutput: type = qint32 in [quantized]",
       .doc = "The products of codes, each counted from the code of 0. One operand may be a scalar; or the smaller "
              "one is repeated along the elements of the other, which is broadcasting where it fits the last "
              "dimensions.",
       .cpu = "T1 in [quint8]; T2 in [quint8]; Toutput in [qint32]",
       .shape_fn = MultiplicationShapes,
       .accuracy = Composed(1),
       .samples = {"T1 in [quint8] T2 in [quint8]: [a b] [a b] -1 2 -3 1",
                   "T1 in [quint8] T2 in [quint8]: [A B] [] 0 6 1 2",
                   "T1 in [quint8] T2 in [quint8]: [B] [A B] -3 -2 -1 1",
                   "T1 in [quint8] T2 in [quint8]: [2 3] [2 1] -1 1 -1 1"}},
  };
  return rows;
}

}  // namespace plumb::topics
