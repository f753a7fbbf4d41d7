// An element of a variant tensor that is itself a tensor.
#pragma once

#include <memory>
#include <utility>

#include "spec/core/variant_codec.h"

namespace plumb {

class TensorPayload final : public VariantPayload {
 public:
  static constexpr std::string_view kTypeName = "tensorflow::Tensor";

  explicit TensorPayload(Tensor tensor) : tensor_(std::move(tensor)) {}
  const Tensor& tensor() const { return tensor_; }
  std::string_view type_name() const override { return kTypeName; }
  EncodedVariant Encode() const override { return {std::string(kTypeName), "", {tensor_}}; }
  static std::shared_ptr<const TensorPayload> Decode(const EncodedVariant& encoded) {
    Require(encoded.tensors.size() == 1, "a tensor in a variant is one tensor, not ", encoded.tensors.size());
    return std::make_shared<const TensorPayload>(encoded.tensors[0]);
  }
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override {
    return std::make_shared<TensorPayload>(copy(tensor_));
  }

 private:
  Tensor tensor_;
};

inline Variant VariantOf(Tensor tensor) {
  return {std::string(TensorPayload::kTypeName), "", std::make_shared<TensorPayload>(std::move(tensor))};
}

// The tensor in an element; kInvalidArgument when it holds something else.
inline const Tensor& TensorIn(const Variant& element) {
  const auto* const payload = PayloadIn<TensorPayload>(element);
  Require(payload != nullptr, "the element, of type '", element.type_name, "', holds no tensor");
  return payload->tensor();
}

}  // namespace plumb
