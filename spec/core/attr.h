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

namespace internal {
using AttrVariant = std::variant<std::monostate, std::string, int64_t, float, bool, DType, PartialShape, Tensor,
                                 FunctionRef, AttrPlaceholder, EmptyList, std::vector<std::string>,
                                 std::vector<int64_t>, std::vector<float>, std::vector<bool>, std::vector<DType>,
                                 std::vector<PartialShape>, std::vector<Tensor>, std::vector<FunctionRef>>;
}  // namespace internal

// Made, copied and destroyed in one place: what a variant of so many kinds expands to would otherwise be compiled
// with every file.
struct AttrValue : internal::AttrVariant {
  AttrValue();
  AttrValue(const AttrValue& other);
  AttrValue(AttrValue&& other) noexcept;
  AttrValue& operator=(const AttrValue& other);
  AttrValue& operator=(AttrValue&& other) noexcept;
  ~AttrValue();

  // Attributes are written as plain values, hence no constructor is explicit.
  AttrValue(std::string value);                // NOLINT
  AttrValue(const char* text);                 // NOLINT
  AttrValue(int64_t value);                    // NOLINT
  AttrValue(int value);                        // NOLINT
  AttrValue(float value);                      // NOLINT
  AttrValue(double value);                     // NOLINT
  AttrValue(bool value);                       // NOLINT
  AttrValue(DType value);                      // NOLINT
  AttrValue(PartialShape value);               // NOLINT
  AttrValue(Tensor value);                     // NOLINT
  AttrValue(FunctionRef value);                // NOLINT
  AttrValue(AttrPlaceholder value);            // NOLINT
  AttrValue(EmptyList value);                  // NOLINT
  AttrValue(std::vector<std::string> value);   // NOLINT
  AttrValue(std::vector<int64_t> value);       // NOLINT
  AttrValue(std::vector<float> value);         // NOLINT
  AttrValue(std::vector<bool> value);          // NOLINT
  AttrValue(std::vector<DType> value);         // NOLINT
  AttrValue(std::vector<PartialShape> value);  // NOLINT
  AttrValue(std::vector<Tensor> value);        // NOLINT
  AttrValue(std::vector<FunctionRef> value);   // NOLINT
  template <class T>
  AttrValue(T* pointer) = delete;  // it would count as true

  template <class T>
  const T* Get() const {
    return std::get_if<T>(static_cast<const internal::AttrVariant*>(this));
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
