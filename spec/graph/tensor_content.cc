#include "spec/graph/tensor_content.h"

#include <bit>

#include "spec/proto/tensor.pb.h"

namespace plumb {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

namespace {

// All of them, the last ones too where they are alike.
void TextsToProto(const Tensor& tensor, pb::TensorProto* to) {
  to->set_dtype(pb::DT_STRING);
  ToProto(PartialShape(tensor.shape()), to->mutable_tensor_shape());
  for (const std::string& text : tensor.data<std::string>()) to->add_string_val(text);
}

}  // namespace

void ContentToProto(const Tensor& tensor, pb::TensorProto* to) {
  if (tensor.dtype() == DType::kString) return TextsToProto(tensor, to);
  if (ElementSize(tensor.dtype()) == 0) return ToProto(tensor, to);
  to->set_dtype(static_cast<pb::DataType>(tensor.dtype()));
  ToProto(PartialShape(tensor.shape()), to->mutable_tensor_shape());
  if (tensor.bytes() > 0) to->set_tensor_content(tensor.raw(), tensor.bytes());
}

}  // namespace plumb
