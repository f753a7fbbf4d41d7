#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

std::span<const OpRow> FileImmutableConst() {
  static const OpRow rows[] = {
      {.signature = "ImmutableConst() -> (tensor: dtype) stateful",
       .attrs = "dtype: type; shape: shape; memory_region_name: string",
       .doc = "The first bytes of a file as the elements of a tensor, in the order of this machine; a scalar where "
              "shape is wholly unknown. INVALID_ARGUMENT where the file has too few or none, UNIMPLEMENTED for "
              "strings.",
       .shape_fn = OfShapeAttr,
       .samples = {"w = WriteFile: 'a' x'0001010001000001010000010100000001000101010101000001010000010101'; "
                   "dtype in [numbers, quantized, bool] shape=[2] memory_region_name='a':"}},
  };
  return rows;
}

}  // namespace plumb::topics
