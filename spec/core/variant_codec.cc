#include "spec/core/variant_codec.h"

#include <algorithm>

namespace plumb {
namespace {

// The numbers that TensorFlow registers as elements of variants.
constexpr std::string_view kNumbers[] = {"bool", "double", "float", "int"};

bool IsItsMetadata(const EncodedVariant& encoded) {
  const bool is_number = std::find(std::begin(kNumbers), std::end(kNumbers), encoded.type_name) != std::end(kNumbers);
  return encoded.tensors.empty() && (is_number || encoded.type_name.empty());
}

// Writes tensors down, level by level, as long as a message can hold them.
class Writing {
 public:
  Tensor Written(const Tensor& tensor, int depth) {
    Take(static_cast<int64_t>(tensor.bytes()));
    if (tensor.dtype() == DType::kString) {
      for (const std::string& text : tensor.data<std::string>()) Take(static_cast<int64_t>(text.size()));
    }
    if (tensor.dtype() != DType::kVariant) return tensor;
    if (depth > kMaxVariantNesting) {
      throw Unimplemented("a variant that is nested deeper than ", kMaxVariantNesting, " levels cannot be written");
    }
    Tensor result(DType::kVariant, tensor.shape());
    const auto from = tensor.data<Variant>();
    const auto to = result.mutable_data<Variant>();
    for (size_t i = 0; i < from.size(); ++i) to[i] = Written(from[i], depth);
    return result;
  }

 private:
  Variant Written(const Variant& element, int depth) {
    EncodedVariant encoded = Encode(element);
    Take(static_cast<int64_t>(encoded.metadata.size()));
    for (Tensor& tensor : encoded.tensors) {
      if (!tensor.IsSet()) throw Unimplemented("a ", encoded.type_name, " without all its tensors cannot be written");
      tensor = Written(tensor, depth + 1);
    }
    return Decode(std::move(encoded), element.payload);
  }

  // Every part is an object in memory, beside its bytes.
  void Take(int64_t bytes) {
    constexpr int64_t kLeast = 128;
    if (bytes > left_ - kLeast) throw ResourceExhausted("variants that take more than 2 GiB cannot be written");
    left_ -= bytes + kLeast;
  }
  int64_t left_ = int64_t{1} << 31;
};

}  // namespace

WrittenPayload::WrittenPayload(EncodedVariant encoded, std::shared_ptr<const VariantPayload> form)
    : encoded_(std::move(encoded)) {
  if (form != nullptr) forms_.push_back(std::move(form));
}

std::shared_ptr<const VariantPayload> WrittenPayload::Copy(const std::function<Tensor(const Tensor&)>& copy) const {
  EncodedVariant result = encoded_;
  for (Tensor& tensor : result.tensors) tensor = copy(tensor);
  return std::make_shared<const WrittenPayload>(std::move(result));
}

EncodedVariant Encode(const Variant& element) {
  if (element.payload != nullptr) return element.payload->Encode();
  return {element.type_name, element.metadata, {}};
}

Variant Decode(EncodedVariant encoded, std::shared_ptr<const VariantPayload> form) {
  Variant element{encoded.type_name, encoded.metadata};
  if (IsItsMetadata(encoded)) return element;
  // What is written already has its forms.
  if (std::dynamic_pointer_cast<const WrittenPayload>(form) != nullptr) {
    element.payload = std::move(form);
  } else {
    element.payload = std::make_shared<const WrittenPayload>(std::move(encoded), std::move(form));
  }
  return element;
}

Tensor WrittenDown(const Tensor& variants) { return Writing().Written(variants, 1); }

bool HoldTheSame(const Variant& a, const Variant& b) {
  if (a == b) return true;
  const auto is_written = [](const Variant& element) {
    return element.payload == nullptr || dynamic_cast<const WrittenPayload*>(element.payload.get()) != nullptr;
  };
  if (!is_written(a) || !is_written(b)) return false;
  const EncodedVariant first = Encode(a), second = Encode(b);
  return first.type_name == second.type_name && first.metadata == second.metadata &&
         std::equal(first.tensors.begin(), first.tensors.end(), second.tensors.begin(), second.tensors.end(),
                    [](const Tensor& u, const Tensor& v) { return u.BitwiseEquals(v); });
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
