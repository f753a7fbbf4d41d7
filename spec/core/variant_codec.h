// Elements of variant tensors written down, read back and copied, whatever they hold.
#pragma once

#include <span>

#include "spec/core/variant.h"

namespace plumb {

// A type of payload that can be read back. Who reads gives the list of those it knows: nothing registers itself.
struct VariantKind {
  std::string_view type_name;
  // Throws kDataLoss for what Encode has not written.
  std::shared_ptr<const VariantPayload> (*decode)(const EncodedVariant& encoded);
};

// What the payload writes; for an element without one, what it was read from.
EncodedVariant Encode(const Variant& element);
// An element of a type that is not listed keeps its metadata, so that it can be handed on and written again.
Variant Decode(const EncodedVariant& encoded, std::span<const VariantKind> kinds);

// The same elements over tensors that `copy` has made: in another memory space, or out of aliases.
Tensor CopyVariants(const Tensor& variants, const std::function<Tensor(const Tensor&)>& copy);

}  // namespace plumb
