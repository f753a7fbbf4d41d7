// Attribute values of nodes (AttrValue, rule 9.3) as plain C++ values.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "spec/core/dtype.h"
#include "spec/core/shape.h"
#include "spec/core/tensor.h"

namespace plumb {

struct AttrValue;
using AttrMap = std::map<std::string, AttrValue, std::less<>>;

// A function name with bindings for its attributes.
struct FunctionRef {
  std::string name;
  std::shared_ptr<const AttrMap> attrs;  // null: none
  bool operator==(const FunctionRef& other) const;
};

// The name of a function's attribute, standing where its value will be put (rule A3).
struct AttrPlaceholder {
  std::string name;
  bool operator==(const AttrPlaceholder&) const = default;
};

// The wire does not say which kind an empty list has (rule A6).
struct EmptyList {
  bool operator==(const EmptyList&) const = default;
};

struct AttrValue : std::variant<std::monostate, std::string, int64_t, float, bool, DType, PartialShape, Tensor,
                                FunctionRef, AttrPlaceholder, EmptyList, std::vector<std::string>, std::vector<int64_t>,
                                std::vector<float>, std::vector<bool>, std::vector<DType>, std::vector<PartialShape>,
                                std::vector<Tensor>, std::vector<FunctionRef>> {
  using variant::variant;
  AttrValue(const char* text) : variant(std::string(text)) {}      // NOLINT: attributes are written as literals
  AttrValue(int value) : variant(int64_t{value}) {}                // NOLINT
  AttrValue(double value) : variant(static_cast<float>(value)) {}  // NOLINT

  template <class T>
  const T* Get() const {
    return std::get_if<T>(static_cast<const variant*>(this));
  }
  bool operator==(const AttrValue& other) const;
  // Readable text: 3, "SAME", [1, 2], float32, …
  std::string ToString() const;
};

// attrs[name] as T; kInvalidArgument naming the attribute when it is absent or of another kind. A list may be empty.
template <class T>
const T& GetAttr(const AttrMap& attrs, std::string_view name);
// The same, or `fallback` where the attribute is absent.
template <class T>
T GetAttrOr(const AttrMap& attrs, std::string_view name, T fallback) {
  return attrs.find(name) == attrs.end() ? std::move(fallback) : GetAttr<T>(attrs, name);
}

}  // namespace plumb
