// Values that may be missing, as elements of variant tensors.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "reference/numbers/value.h"
#include "spec/core/variant.h"

namespace plumb::reference {

struct Optional final : VariantPayload {
  std::optional<std::vector<Value>> components;

  static constexpr std::string_view kTypeName = "tensorflow::data::Optional";
  std::string_view type_name() const override { return kTypeName; }
  // The metadata are one byte: whether there are components.
  EncodedVariant Encode() const override {
    EncodedVariant encoded{std::string(kTypeName), std::string(1, components ? '\1' : '\0'), {}};
    if (components) {
      for (const Value& value : *components) encoded.tensors.push_back(value.tensor);
    }
    return encoded;
  }
  static std::shared_ptr<const Optional> Decode(const EncodedVariant& encoded) {
    Require(encoded.metadata.size() == 1, "an optional has one byte of metadata, not ", encoded.metadata.size());
    const char has_components = encoded.metadata[0];
    Require(has_components == 1 || (has_components == 0 && encoded.tensors.empty()),
            "this is no optional: its byte is ", static_cast<int>(has_components), ", and it has ",
            encoded.tensors.size(), " tensors");
    auto optional = std::make_shared<Optional>();
    if (has_components == 1) optional->components.emplace(encoded.tensors.begin(), encoded.tensors.end());
    return optional;
  }
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override {
    auto result = std::make_shared<Optional>(*this);
    if (result->components) {
      for (Value& value : *result->components) value.tensor = copy(value.tensor);
    }
    return result;
  }
};

inline Variant AsVariant(Optional optional) {
  Variant variant;
  variant.type_name = Optional::kTypeName;
  variant.payload = std::make_shared<const Optional>(std::move(optional));
  return variant;
}

}  // namespace plumb::reference
