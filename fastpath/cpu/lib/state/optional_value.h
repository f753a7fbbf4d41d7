// Values that may be missing, the elements of variant tensors: shared, and never changed. Components may lie in the
// memory of a device: they are kept as HeldOf gives them (fastpath/memory/inside.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spec/core/variant.h"

namespace plumb::fast::cpu {

class OptionalValue final : public VariantPayload {
 public:
  static constexpr std::string_view kTypeName = "tensorflow::data::Optional";

  OptionalValue() = default;
  explicit OptionalValue(std::vector<Tensor> components) : has_value_(true), components_(std::move(components)) {}

  bool has_value() const { return has_value_; }
  const std::vector<Tensor>& components() const { return components_; }
  std::string_view type_name() const override { return kTypeName; }
  EncodedVariant Encode() const override {
    return {std::string(kTypeName), std::string(1, static_cast<char>(has_value_)), components_};
  }
  static std::shared_ptr<const OptionalValue> Decode(const EncodedVariant& encoded) {
    const bool has_value = encoded.metadata == std::string(1, '\1');
    Require(has_value || (encoded.metadata == std::string(1, '\0') && encoded.tensors.empty()),
            "this is no optional: ", encoded.metadata.size(), " bytes of metadata, ", encoded.tensors.size(),
            " tensors");
    return has_value ? std::make_shared<OptionalValue>(encoded.tensors) : std::make_shared<OptionalValue>();
  }
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override {
    if (!has_value_) return std::make_shared<OptionalValue>();
    std::vector<Tensor> copies;
    copies.reserve(components_.size());
    for (const Tensor& component : components_) copies.push_back(copy(component));
    return std::make_shared<OptionalValue>(std::move(copies));
  }

 private:
  bool has_value_ = false;
  std::vector<Tensor> components_;
};

inline Variant AsVariant(std::shared_ptr<const OptionalValue> optional) {
  return {std::string(OptionalValue::kTypeName), "", std::move(optional)};
}

}  // namespace plumb::fast::cpu
