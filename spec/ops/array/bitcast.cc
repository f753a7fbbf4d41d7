#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// A wider element is cut along a new last axis; narrower ones are joined along the last one.
Shapes BitcastShapes(const ShapeContext& c) {
  const auto from = static_cast<int64_t>(ElementSize(c.attr<DType>("T")));
  const auto to = static_cast<int64_t>(ElementSize(c.attr<DType>("type")));
  const PartialShape& x = c.input(0);
  if (from == to || !x.has_rank()) return {x};
  if (from > to) return {Join(x, PartialShape{from / to})};
  Require(x.rank() > 0, "Bitcast: a scalar is no row of elements that make a wider one");
  MergeDims(c, x.dim(x.rank() - 1), to / from);
  return {Part(x, 0, x.rank() - 1)};
}

}  // namespace

std::span<const OpRow> ArrayBitcast() {
  static const OpRow rows[] = {
      {.signature = "Bitcast(input: T) -> (output: type) hands_on",
       .attrs = "T: type in [numbers, quantized]; type: type in [numbers, quantized]",
       .doc = "The same bytes as elements of another type. A wider element becomes a row of narrower ones along a new "
              "last axis; rows of narrower ones, which must be as long as a wider one takes, become that one.",
       .gpu = "all",
       .shape_fn = BitcastShapes,
       // Uncertain bits have no bound: floating-point inputs are those of the sample.
       .samples = {"T in [int8, uint8, qint8, quint8] type in [int8, uint8, qint8, quint8]: [d...]",
                   "T in [int32, uint32, qint32] type in [int8, int16, uint8, uint16, int32, uint32]: [d...]",
                   "T in [float16, bfloat16] type in [int8, int16, uint16, qint16, quint16]: [d...] in -99..99",
                   "T in [float32] type in [int8, int16, int32, uint32]: [d...] in -99..99",
                   "T in [float64, complex64] type in [int8, int16, int32, int64, uint64]: [d...] in -99..99",
                   "T in [complex128] type in [int64, uint64, int32]: [d...] in -99..99",
                   "T in [float16] type in [float16]: [d...]",
                   "T in [bfloat16] type in [bfloat16]: [d...]",
                   "T in [float64] type in [float64]: [d...]",
                   "T in [complex64] type in [complex64]: [d...]",
                   "T in [complex128] type in [complex128]: [d...]",
                   "T in [qint16, quint16] type in [int16, uint16, qint16, quint16, int8, uint8]: [d...]",
                   "T in [int64, uint64] type in [int64, uint64, int32, uint8]: [d...]",
                   "T in [int32, uint32] type in [int64, uint64]: [d... 2]",
                   "T in [int16, uint16] type in [int64, uint64]: [d... 4]",
                   "T in [int16, uint16] type in [int32, uint32, qint32]: [d... 2]",
                   "T in [int8, uint8, qint8, quint8] type in [int16, uint16, qint16, quint16]: [d... 2]",
                   "T in [int8, uint8] type in [int32, uint32, qint32]: [d... 4]",
                   "T in [int8, uint8] type in [int64, uint64]: [d... 8]",
                   "T in [float32] type in [float32]: [d...]"}},
  };
  return rows;
}

}  // namespace plumb::topics
