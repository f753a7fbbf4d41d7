// Tensors as the bytes that sparse tensors are serialized to: TensorProto messages (rule 9.4) whose elements all lie in
// tensor_content, strings too.
#pragma once

#include <string>
#include <string_view>

#include "spec/core/tensor.h"

namespace plumb {

std::string SerializedContent(const Tensor& tensor);
// kInvalidArgument for bytes that are no tensor.
Tensor ParsedContent(std::string_view bytes);

}  // namespace plumb
