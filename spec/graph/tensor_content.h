// Tensors as messages whose numbers lie in one piece, as ops write them; ToProto chooses the shorter of two forms.
#pragma once

#include "spec/graph/proto_io.h"

namespace plumb {

// `to` must be empty. Numbers become tensor_content, in the order of little-endian machines; strings and handles stay
// what ToProto makes of them.
void ContentToProto(const Tensor& tensor, pb::TensorProto* to);

}  // namespace plumb
