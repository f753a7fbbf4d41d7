#include "spec/ops/op_def.h"
#include "spec/ops/quantization/ranges.h"

namespace plumb::topics {
namespace {

Shapes ReluShapes(const ShapeContext& c) {
  RequireScalars(c, 1, 2);
  return WithScalarRange(c.input(0));
}

constexpr char kAttrs[] = "Tinput: type in [quantized]; out_type: type = quint8 in [quantized]";
constexpr char kCpu[] = "Tinput in [quint8, qint32]; out_type in [quint8, qint32]";  // the same in both

}  // namespace

std::span<const OpRow> QuantizationQuantizedRelu() {
  static const OpRow rows[] = {
      {.signature = "QuantizedRelu(features: Tinput, min_features: float32, max_features: float32) -> (activations: "
                    "out_type, min_activations: float32, max_activations: float32)",
       .attrs = kAttrs,
       .doc = "The codes, but at least the one that is nearest to 0; the range stays as it is.",
       .cpu = kCpu,
       .shape_fn = ReluShapes,
       .samples = {"Tinput in [quint8] out_type in [quint8]: [d...] -1 2",
                   "Tinput in [quint8] out_type in [quint8]: [d...] 0.5 3",
                   "Tinput in [quint8] out_type in [quint8]: [d...] [] in -4..-1 [] in 1..5",
                   "Tinput in [qint32] out_type in [qint32]: [d...] -1 2",
                   "Tinput in [qint32] out_type in [qint32]: [d...] [] in -4..1 [] in 2..5"}},
      {.signature = "QuantizedRelu6(features: Tinput, min_features: float32, max_features: float32) -> (activations: "
                    "out_type, min_activations: float32, max_activations: float32)",
       .attrs = kAttrs,
       .doc = "QuantizedRelu, but at most the code that is nearest to 6.",
       .cpu = kCpu,
       .shape_fn = ReluShapes,
       .samples = {"Tinput in [quint8] out_type in [quint8]: [d...] -1 8",
                   "Tinput in [quint8] out_type in [quint8]: [d...] 0 5.5",
                   "Tinput in [quint8] out_type in [quint8]: [d...] [] in -14..-1 [] in 1..15",
                   "Tinput in [qint32] out_type in [qint32]: [d...] -8 8",
                   "Tinput in [qint32] out_type in [qint32]: [d...] [] in -14..1 [] in 2..15"}},
  };
  return rows;
}

}  // namespace plumb::topics
