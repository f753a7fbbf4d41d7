#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
std::span<const OpRow> ParsingTensor() {
  static const OpRow rows[] = {
      {.signature = "SerializeTensor(tensor: T) -> (serialized: string)",
       .attrs = "T: type",
       .doc = "The tensor as the bytes of a TensorProto.",
       .cpu = "T in [bfloat16, bool, complex64, complex128, float16, float32, float64, int16, int32, int64, int8, "
              "resource, string, uint16, uint32, uint64, uint8, variant]",
       .shape = "[d...] -> []",
       .gradient = BlocksGradient(),
       .samples = {"[d...]"}},
      {.signature = "ParseTensor(serialized: string) -> (output: out_type)",
       .attrs = "out_type: type",
       .doc = "The tensor that the bytes of a TensorProto say, which must be of this type.",
       .shape = "? -> ?",
       .gradient = BlocksGradient(),
       .samples = {"s = SerializeTensor T=$out_type: [a b]; s", "s = SerializeTensor T=$out_type: []; s"}},
  };
  return rows;
}

}  // namespace plumb::topics
