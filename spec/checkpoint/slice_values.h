// Elements as the first format of checkpoints holds them: in the typed fields of a tensor message (rule Z52).
#pragma once

#include "spec/core/tensor.h"

namespace plumb {

namespace pb {
class TensorProto;
}  // namespace pb

namespace checkpoint {

// For a type that the format has not: kInvalidArgument where it is uint32 or uint64, as TensorFlow does, or else
// kUnimplemented.
void PutValues(const Tensor& tensor, pb::TensorProto* to);
// kDataLoss where there are more or fewer than the shape has.
Tensor TakeValues(const pb::TensorProto& from, DType dtype, const Shape& shape);

}  // namespace checkpoint
}  // namespace plumb
