// Ragged tensors as elements of variant tensors.
#pragma once

#include <string_view>
#include <vector>

#include "reference/numbers/value.h"
#include "spec/core/variant.h"

namespace plumb::reference {

struct RaggedVariant final : VariantPayload {
  std::vector<Tensor> splits;  // outermost first
  Value values;

  static constexpr std::string_view kTypeName = "RaggedTensorVariant";
  std::string_view type_name() const override { return kTypeName; }
  EncodedVariant Encode() const override {
    EncodedVariant encoded{std::string(kTypeName), "", splits};
    encoded.tensors.push_back(values.tensor);
    return encoded;
  }
  static std::shared_ptr<const RaggedVariant> Decode(const EncodedVariant& encoded) {
    Require(!encoded.tensors.empty(), "a ragged tensor without values was written");
    auto ragged = std::make_shared<RaggedVariant>();
    ragged->splits = encoded.tensors;
    ragged->values = ragged->splits.back();
    ragged->splits.pop_back();
    for (const Tensor& each : ragged->splits) {
      Require(each.dtype() == DType::kInt32 || each.dtype() == DType::kInt64, "splits cannot be ",
              DTypeName(each.dtype()));
      Require(each.rank() == 1, "splits must be a vector, not of shape ", each.shape().ToString());
    }
    return ragged;
  }
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override {
    auto result = std::make_shared<RaggedVariant>(*this);
    for (Tensor& each : result->splits) each = copy(each);
    result->values.tensor = copy(values.tensor);
    return result;
  }
};

inline Variant AsVariant(RaggedVariant ragged) {
  Variant variant;
  variant.type_name = RaggedVariant::kTypeName;
  variant.payload = std::make_shared<const RaggedVariant>(std::move(ragged));
  return variant;
}

}  // namespace plumb::reference
