#include "spec/core/attr.h"

namespace plumb {
namespace {

template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;

template <class T>
std::string Print(const T& value) {
  if constexpr (kIsList<T>) {
    std::string text = "[";
    for (size_t i = 0; i < value.size(); ++i) text += (i > 0 ? ", " : "") + Print(typename T::value_type(value[i]));
    return text + "]";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return '"' + value + '"';
  } else if constexpr (std::is_same_v<T, DType>) {
    return std::string(DTypeName(value));
  } else if constexpr (std::is_same_v<T, FunctionRef>) {
    return value.name;
  } else if constexpr (std::is_same_v<T, AttrPlaceholder>) {
    return "$" + value.name;
  } else if constexpr (std::is_same_v<T, EmptyList>) {
    return "[]";
  } else if constexpr (std::is_same_v<T, std::monostate>) {
    return "<none>";
  } else if constexpr (requires { value.ToString(); }) {
    return value.ToString();
  } else {
    return Str(value);
  }
}

template <class T>
bool Same(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, Tensor>) {
    return a.BitwiseEquals(b);
  } else if constexpr (std::is_same_v<T, std::vector<Tensor>>) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Tensor& x, const Tensor& y) { return x.BitwiseEquals(y); });
  } else {
    return a == b;
  }
}

}  // namespace

bool FunctionRef::operator==(const FunctionRef& other) const {
  if (name != other.name) return false;
  static const AttrMap kNone;
  return (attrs ? *attrs : kNone) == (other.attrs ? *other.attrs : kNone);
}

AttrValue::AttrValue() = default;
AttrValue::AttrValue(const AttrValue& other) = default;
AttrValue::AttrValue(AttrValue&& other) noexcept = default;
AttrValue& AttrValue::operator=(const AttrValue& other) = default;
AttrValue& AttrValue::operator=(AttrValue&& other) noexcept = default;
AttrValue::~AttrValue() = default;

AttrValue::AttrValue(std::string value) : variant(std::move(value)) {}
AttrValue::AttrValue(const char* text) : variant(std::string(text)) {}
AttrValue::AttrValue(int64_t value) : variant(value) {}
AttrValue::AttrValue(int value) : variant(int64_t{value}) {}
AttrValue::AttrValue(float value) : variant(value) {}
AttrValue::AttrValue(double value) : variant(static_cast<float>(value)) {}
AttrValue::AttrValue(bool value) : variant(value) {}
AttrValue::AttrValue(DType value) : variant(value) {}
AttrValue::AttrValue(PartialShape value) : variant(std::move(value)) {}
AttrValue::AttrValue(Tensor value) : variant(std::move(value)) {}
AttrValue::AttrValue(FunctionRef value) : variant(std::move(value)) {}
AttrValue::AttrValue(AttrPlaceholder value) : variant(std::move(value)) {}
AttrValue::AttrValue(EmptyList value) : variant(value) {}
AttrValue::AttrValue(std::vector<std::string> value) : variant(std::move(value)) {}
AttrValue::AttrValue(std::vector<int64_t> value) : variant(std::move(value)) {}
AttrValue::AttrValue(std::vector<float> value) : variant(std::move(value)) {}
AttrValue::AttrValue(std::vector<bool> value) : variant(std::move(value)) {}
AttrValue::AttrValue(std::vector<DType> value) : variant(std::move(value)) {}
AttrValue::AttrValue(std::vector<PartialShape> value) : variant(std::move(value)) {}
AttrValue::AttrValue(std::vector<Tensor> value) : variant(std::move(value)) {}
AttrValue::AttrValue(std::vector<FunctionRef> value) : variant(std::move(value)) {}

bool AttrValue::operator==(const AttrValue& other) const {
  if (index() != other.index()) return false;
  return std::visit(
      [&](const auto& mine) {
        using T = std::decay_t<decltype(mine)>;
        return Same<T>(mine, *other.Get<T>());
      },
      static_cast<const internal::AttrVariant&>(*this));
}

std::string AttrValue::ToString() const {
  return std::visit([](const auto& value) { return Print(value); }, static_cast<const internal::AttrVariant&>(*this));
}

template <class T>
const T& GetAttr(const AttrMap& attrs, std::string_view name) {
  const auto found = attrs.find(name);
  Require(found != attrs.end(), "the attribute '", name, "' is missing");
  if (const T* value = found->second.Get<T>()) return *value;
  if constexpr (kIsList<T>) {
    static const T kEmpty;
    if (found->second.Get<EmptyList>() != nullptr) return kEmpty;
  }
  throw InvalidArgument("the attribute '", name, "' has the wrong kind: ", found->second.ToString());
}

#define PLUMB_INSTANTIATE(T) template const T& GetAttr<T>(const AttrMap&, std::string_view);
PLUMB_INSTANTIATE(std::string)
PLUMB_INSTANTIATE(int64_t)
PLUMB_INSTANTIATE(float)
PLUMB_INSTANTIATE(bool)
PLUMB_INSTANTIATE(DType)
PLUMB_INSTANTIATE(PartialShape)
PLUMB_INSTANTIATE(Tensor)
PLUMB_INSTANTIATE(FunctionRef)
PLUMB_INSTANTIATE(std::vector<std::string>)
PLUMB_INSTANTIATE(std::vector<int64_t>)
PLUMB_INSTANTIATE(std::vector<float>)
PLUMB_INSTANTIATE(std::vector<bool>)
PLUMB_INSTANTIATE(std::vector<DType>)
PLUMB_INSTANTIATE(std::vector<PartialShape>)
PLUMB_INSTANTIATE(std::vector<Tensor>)
PLUMB_INSTANTIATE(std::vector<FunctionRef>)
#undef PLUMB_INSTANTIATE

}  // namespace plumb
