#include "property-tests/fuzz/sides/values.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace plumb::fuzz {
namespace {

constexpr int64_t kIntegers[] = {0,
                                 1,
                                 2,
                                 3,
                                 -1,
                                 -2,
                                 4,
                                 5,
                                 7,
                                 8,
                                 16,
                                 100,
                                 -5,
                                 INT32_MAX,
                                 INT32_MIN,
                                 INT64_MAX,
                                 INT64_MIN,
                                 1LL << 31,
                                 1LL << 32,
                                 1LL << 40,
                                 -(1LL << 31),
                                 255,
                                 256,
                                 65535,
                                 65536,
                                 INT64_MAX / 2,
                                 INT32_MAX - 1,
                                 1000};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNumbers[] = {0,
                               1,
                               -1,
                               0.5,
                               2,
                               3,
                               -0.0,
                               -2.5,
                               100,
                               1e-45,
                               1e-30,
                               1e30,
                               -1e30,
                               kInfinity,
                               -kInfinity,
                               0x1p31,
                               0x1p63,
                               1e300,
                               -0x1p31,
                               0.999,
                               -1e-9,
                               1e-300,
                               16777217.,
                               4294967296.,
                               6.5e4,
                               -7,
                               0x1p-149,
                               10,
                               3.14159,
                               1e9,
                               std::numeric_limits<double>::quiet_NaN()};
constexpr int64_t kFewElements = 64;

template <class T>
T Converted(int64_t integer, double number) {
  if constexpr (std::is_same_v<T, bool>) {
    return integer % 2 != 0;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(integer);
  } else if constexpr (requires { T{}.value; }) {
    return T{static_cast<decltype(T{}.value)>(integer)};
  } else {
    return T(static_cast<float>(number));
  }
}
template <>
double Converted<double>(int64_t, double number) {
  return number;
}
template <>
std::complex<double> Converted<std::complex<double>>(int64_t integer, double number) {
  return {number, static_cast<double>(integer % 8)};
}
template <>
std::complex<float> Converted<std::complex<float>>(int64_t integer, double number) {
  return {static_cast<float>(number), static_cast<float>(integer % 8)};
}

std::string Words(Bytes& bytes) {
  constexpr const char* kWords[] = {"",    "a",  "b", "1",      "-1", "1.5", "nan",
                                    "a b", "%d", "*", "[a-z]+", ",",  "/",   "\xff"};
  const size_t word = bytes.Below(std::size(kWords) + 2);
  return word < std::size(kWords) ? kWords[word] : bytes.Text(16);
}

template <class T>
T Element(Bytes& bytes) {
  if constexpr (std::is_same_v<T, std::string>) {
    return Words(bytes);
  } else if constexpr (std::is_same_v<T, ResourceHandle> || std::is_same_v<T, Variant>) {
    return T();
  } else if constexpr (std::is_integral_v<T> || requires { T{}.value; }) {
    return Converted<T>(Integer(bytes), 0);
  } else {
    const double number = Number(bytes);
    return Converted<T>(static_cast<int64_t>(bytes.Byte()), number);
  }
}

// How the elements of a value hang together.
enum class Pattern { kSmall, kCounting, kSame, kEach, kBits };

template <class T>
void Fill(Bytes& bytes, std::span<T> elements) {
  const auto pattern = Pattern(bytes.Below(5));
  const T same = pattern == Pattern::kSame ? Element<T>(bytes) : T();
  int64_t count = 0;
  for (T& element : elements) {
    if (pattern == Pattern::kSame) {
      element = same;
    } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, ResourceHandle> ||
                         std::is_same_v<T, Variant>) {
      element = Element<T>(bytes);
    } else if (pattern == Pattern::kBits && !std::is_same_v<T, bool>) {
      const std::string_view bits = bytes.Take(sizeof(T));
      element = T();
      std::memcpy(static_cast<void*>(&element), bits.data(), bits.size());
    } else if (pattern == Pattern::kEach) {
      element = Element<T>(bytes);
    } else {
      const int64_t small = pattern == Pattern::kCounting ? count++ : bytes.Byte() % 4;
      element = Converted<T>(small, static_cast<double>(small));
    }
  }
}

template <class T, class Draw>
std::vector<T> List(Bytes& bytes, const Draw& draw) {
  std::vector<T> list(bytes.Below(5));
  for (size_t i = 0; i < list.size(); ++i) list[i] = draw();
  return list;
}

PartialShape Partial(Bytes& bytes) {
  const size_t form = bytes.Below(4);
  if (form == 0) return PartialShape();
  std::vector<int64_t> dims = SmallShape(bytes).ToVector();
  for (int64_t& dim : dims) {
    if (form == 1 && bytes.InEighths(3)) dim = -1;
  }
  return PartialShape(dims);
}

int64_t IntegerFor(Bytes& bytes, const OpDef& op, const AttrDef& attr) {
  const auto counts = [&](const ArgDef& arg) { return arg.number_attr == attr.name; };
  if (std::any_of(op.inputs.begin(), op.inputs.end(), counts) ||
      std::any_of(op.outputs.begin(), op.outputs.end(), counts)) {
    return static_cast<int64_t>(bytes.Below(4)) + attr.minimum.value_or(0);
  }
  if (attr.default_value && bytes.InEighths(4)) return *attr.default_value->Get<int64_t>();
  return Integer(bytes);
}

std::string TextFor(Bytes& bytes, const AttrDef& attr) {
  if (!attr.allowed_strings.empty() && bytes.InEighths(7)) {
    return attr.allowed_strings[bytes.Below(attr.allowed_strings.size())];
  }
  return Words(bytes);
}

AttrValue ListOf(Bytes& bytes, const OpDef& op, const AttrDef& attr) {
  switch (attr.kind) {
    case AttrKind::kString:
      return List<std::string>(bytes, [&] { return TextFor(bytes, attr); });
    case AttrKind::kInt:
      return List<int64_t>(bytes, [&] { return Integer(bytes); });
    case AttrKind::kFloat:
      return List<float>(bytes, [&] { return Converted<float>(0, Number(bytes)); });
    case AttrKind::kBool:
      return List<bool>(bytes, [&] { return bytes.Byte() % 2 != 0; });
    case AttrKind::kType:
      return List<DType>(bytes, [&] { return Type(bytes, op, attr); });
    case AttrKind::kShape:
      return List<PartialShape>(bytes, [&] { return Partial(bytes); });
    case AttrKind::kTensor:
      return List<Tensor>(bytes, [&] { return Value(bytes, DType::kFloat, SmallShape(bytes)); });
    case AttrKind::kFunc:
      return EmptyList();
  }
  return AttrValue();
}

}  // namespace

int64_t Integer(Bytes& bytes) {
  const size_t which = bytes.Below(std::size(kIntegers) + 4);
  if (which < std::size(kIntegers)) return kIntegers[which];
  int64_t number = 0;
  const std::string_view bits = bytes.Take(sizeof(number));
  std::memcpy(&number, bits.data(), bits.size());
  return number;
}

double Number(Bytes& bytes) {
  const size_t which = bytes.Below(std::size(kNumbers) + 2);
  return which < std::size(kNumbers) ? kNumbers[which] : static_cast<double>(Integer(bytes)) / 16;
}

Shape SmallShape(Bytes& bytes) {
  constexpr size_t kRanks[] = {0, 1, 2, 3, 4, 1, 2, 5, 7};
  std::vector<int64_t> dims(kRanks[bytes.Below(std::size(kRanks))]);
  int64_t elements = 1;
  for (int64_t& dim : dims) {
    dim = static_cast<int64_t>(bytes.Below(6));
    if (elements * dim > kFewElements) dim = 1;
    elements *= dim;
  }
  if (elements == 0 && bytes.InEighths(1)) {
    int64_t& dim = dims[bytes.Below(dims.size())];
    if (dim != 0) dim = bytes.InEighths(4) ? INT32_MAX : int64_t{1} << 40;
  }
  const auto zero = std::find(dims.begin(), dims.end(), 0);
  int64_t product = 1;
  for (auto dim = dims.begin(); dim != dims.end(); ++dim) {
    if (dim == zero) continue;
    if (*dim > 0 && product > INT64_MAX / *dim) *dim = 1;
    product *= std::max<int64_t>(*dim, 1);
  }
  return Shape(std::span<const int64_t>(dims));
}

Tensor Value(Bytes& bytes, DType dtype, const Shape& shape) {
  Tensor value(dtype, shape);
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Fill<T>(bytes, value.mutable_data<T>());
  });
  return value;
}

Tensor Changed(Bytes& bytes, const Tensor& value) {
  if (value.elements() == 0) return value;
  Tensor changed = value.Clone();
  VisitType(value.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const auto elements = changed.mutable_data<T>();
    elements[bytes.Below(std::min<size_t>(elements.size(), 256))] = Element<T>(bytes);
  });
  return changed;
}

DType Type(Bytes& bytes, const OpDef& op, const AttrDef& attr) {
  const std::vector<DType>& allowed = op.CpuTypes(attr);
  if (!allowed.empty() && !bytes.InEighths(1)) return allowed[bytes.Below(allowed.size())];
  constexpr DType kCommon[] = {DType::kFloat, DType::kInt32, DType::kInt64, DType::kString, DType::kBool};
  const size_t which = bytes.Below(std::size(kCommon) + 23);
  return which < std::size(kCommon) ? kCommon[which] : DType(static_cast<int>(which - std::size(kCommon)) + 1);
}

AttrValue Attribute(Bytes& bytes, const OpDef& op, const AttrDef& attr) {
  if (attr.is_list) return ListOf(bytes, op, attr);
  switch (attr.kind) {
    case AttrKind::kString:
      return TextFor(bytes, attr);
    case AttrKind::kInt:
      return IntegerFor(bytes, op, attr);
    case AttrKind::kFloat:
      return Converted<float>(0, Number(bytes));
    case AttrKind::kBool:
      return bytes.Byte() % 2 != 0;
    case AttrKind::kType:
      return Type(bytes, op, attr);
    case AttrKind::kShape:
      return Partial(bytes);
    case AttrKind::kTensor:
      return Value(bytes, DType(static_cast<int>(bytes.Below(19)) + 1), SmallShape(bytes));
    case AttrKind::kFunc:
      return FunctionRef{};
  }
  return AttrValue();
}

}  // namespace plumb::fuzz
