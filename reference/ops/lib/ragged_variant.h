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
