#include "spec/core/variant_codec.h"

namespace plumb {

EncodedVariant Encode(const Variant& element) {
  if (element.payload != nullptr) return element.payload->Encode();
  return {element.type_name, element.metadata, {}};
}

Variant Decode(const EncodedVariant& encoded, std::span<const VariantKind> kinds) {
  for (const VariantKind& kind : kinds) {
    if (kind.type_name == encoded.type_name) return {encoded.type_name, encoded.metadata, kind.decode(encoded)};
  }
  return {encoded.type_name, encoded.metadata, nullptr};
}

Tensor CopyVariants(const Tensor& variants, const std::function<Tensor(const Tensor&)>& copy) {
  Tensor result(DType::kVariant, variants.shape());
  const auto from = variants.data<Variant>();
  const auto to = result.mutable_data<Variant>();
  for (size_t i = 0; i < from.size(); ++i) {
    to[i] = from[i];
    if (from[i].payload != nullptr) to[i].payload = from[i].payload->Copy(copy);
  }
  return result;
}

}  // namespace plumb
