// Ragged tensors, the elements of variant tensors: shared, and never changed.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "spec/core/variant.h"

namespace plumb::fast::cpu {

class RaggedVariant final : public VariantPayload {
 public:
  static constexpr std::string_view kTypeName = "RaggedTensorVariant";

  // The splits of all ragged axes, the outermost first, then the values.
  explicit RaggedVariant(std::vector<Tensor> parts) : parts_(std::move(parts)) {}

  size_t ragged_rank() const { return parts_.size() - 1; }
  const Tensor& splits(size_t axis) const { return parts_[axis]; }
  const Tensor& values() const { return parts_.back(); }
  const std::vector<Tensor>& parts() const { return parts_; }

  std::string_view type_name() const override { return kTypeName; }
  EncodedVariant Encode() const override { return {std::string(kTypeName), "", parts_}; }
  static std::shared_ptr<const RaggedVariant> Decode(const EncodedVariant& encoded) {
    Require(!encoded.tensors.empty(), "a ragged tensor is written with its values");
    for (size_t i = 0; i + 1 < encoded.tensors.size(); ++i) {
      const Tensor& splits = encoded.tensors[i];
      Require((splits.dtype() == DType::kInt32 || splits.dtype() == DType::kInt64) && splits.rank() == 1,
              "splits of a ragged tensor must be a vector of int32 or int64, not ", DTypeName(splits.dtype()),
              splits.shape().ToString());
    }
    return std::make_shared<const RaggedVariant>(encoded.tensors);
  }
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override {
    std::vector<Tensor> copies;
    copies.reserve(parts_.size());
    for (const Tensor& part : parts_) copies.push_back(copy(part));
    return std::make_shared<const RaggedVariant>(std::move(copies));
  }

  static Variant Of(std::vector<Tensor> parts) {
    return {std::string(kTypeName), "", std::make_shared<const RaggedVariant>(std::move(parts))};
  }

 private:
  std::vector<Tensor> parts_;
};

}  // namespace plumb::fast::cpu
