// What an element of a variant tensor holds: a list of tensors, a dataset, an iterator's state.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spec/core/tensor.h"

namespace plumb {

// As it is written down (VariantTensorDataProto).
struct EncodedVariant {
  std::string type_name;
  std::string metadata;
  std::vector<Tensor> tensors;
};

// Immutable and shared by all who hold the element.
class VariantPayload {
 public:
  virtual ~VariantPayload() = default;
  virtual std::string_view type_name() const = 0;
  virtual EncodedVariant Encode() const = 0;
  // The same object over tensors that `copy` has made of its own: in another memory space, or out of aliases.
  virtual std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const = 0;
};

}  // namespace plumb
