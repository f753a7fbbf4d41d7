// Elements of variant tensors written down, read back and copied, whatever they hold.
//
// Who reads a message does not know what its elements are: they keep what was written, and whoever uses one first
// decodes it (PayloadIn), each implementation into an object of its own.
#pragma once

#include "spec/core/thread_annotations.h"
#include "spec/core/variant.h"

namespace plumb {

// Variants in tensors in variants are written no deeper than this: protobuf's readers follow 100 messages, two for each
// level, and the graph around them takes some.
inline constexpr int kMaxVariantNesting = 32;

// An element as it was written down, and the objects that it was decoded into.
class WrittenPayload final : public VariantPayload {
 public:
  // `form`, if any: the object that was written.
  explicit WrittenPayload(EncodedVariant encoded, std::shared_ptr<const VariantPayload> form = nullptr);

  std::string_view type_name() const override { return encoded_.type_name; }
  EncodedVariant Encode() const override { return encoded_; }
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override;

  // The element as a T, decoded once and kept.
  template <class T>
  std::shared_ptr<const T> As() const {
    MutexLock lock(mutex_);
    for (const auto& form : forms_) {
      if (auto held = std::dynamic_pointer_cast<const T>(form)) return held;
    }
    std::shared_ptr<const T> decoded = T::Decode(encoded_);
    forms_.push_back(decoded);
    return decoded;
  }

 private:
  const EncodedVariant encoded_;
  mutable Mutex mutex_;
  mutable std::vector<std::shared_ptr<const VariantPayload>> forms_ PLUMB_GUARDED_BY(mutex_);
};

// What the payload writes; for an element without one, what it was read from. kUnimplemented for what cannot be
// written.
EncodedVariant Encode(const Variant& element);
// A number and an empty element have no payload: their metadata are all of them.
Variant Decode(EncodedVariant encoded, std::shared_ptr<const VariantPayload> form = nullptr);

// What the element holds if it is a T, which says `kTypeName` and how to `Decode` what was written under that name;
// else null. Lives as long as the element. kInvalidArgument for what nobody has written so.
template <class T>
const T* PayloadIn(const Variant& element) {
  if (const auto* const held = dynamic_cast<const T*>(element.payload.get())) return held;
  const auto* const written = dynamic_cast<const WrittenPayload*>(element.payload.get());
  return written != nullptr && written->type_name() == T::kTypeName ? written->As<T>().get() : nullptr;
}

// The same elements, those within them too, as anybody can decode them. kUnimplemented for what cannot be written or is
// nested deeper than kMaxVariantNesting; kResourceExhausted for more than a message may hold, 2 GiB.
Tensor WrittenDown(const Tensor& variants);

// Whether both hold the same, or were written alike.
bool HoldTheSame(const Variant& a, const Variant& b);

// The same elements over tensors that `copy` has made: in another memory space, or out of aliases.
Tensor CopyVariants(const Tensor& variants, const std::function<Tensor(const Tensor&)>& copy);

}  // namespace plumb
