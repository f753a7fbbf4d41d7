// TensorProto messages: rule 9.4, field by field.
#include <cmath>
#include <cstring>
#include <limits>

#include "spec/graph/proto_io.h"
#include "spec/proto/tensor.pb.h"

namespace plumb {
namespace {

// How elements of type T travel in a typed field: `field` of the message, `parts` numbers per element.
template <class T>
struct Wire {  // int32, int16, int8, uint8, uint16 and the quantised types
  static constexpr int parts = 1;
  static const auto& field(const pb::TensorProto& p) { return p.int_val(); }
  static auto* field(pb::TensorProto* p) { return p->mutable_int_val(); }
  static T Get(const int32_t* v) {
    if constexpr (requires(T t) { t.value; }) {
      return T{static_cast<decltype(T::value)>(*v)};
    } else {
      return static_cast<T>(*v);
    }
  }
  static void Put(T v, int32_t* to) {
    if constexpr (requires { v.value; }) {
      *to = v.value;
    } else {
      *to = v;
    }
  }
};

#define PLUMB_SAME_WIRE(type, name)                                         \
  template <>                                                               \
  struct Wire<type> {                                                       \
    static constexpr int parts = 1;                                         \
    static const auto& field(const pb::TensorProto& p) { return p.name(); } \
    static auto* field(pb::TensorProto* p) { return p->mutable_##name(); }  \
    static type Get(const type* v) { return *v; }                           \
    static void Put(type v, type* to) { *to = v; }                          \
  };
PLUMB_SAME_WIRE(float, float_val)
PLUMB_SAME_WIRE(double, double_val)
PLUMB_SAME_WIRE(int64_t, int64_val)
PLUMB_SAME_WIRE(bool, bool_val)
PLUMB_SAME_WIRE(uint32_t, uint32_val)
PLUMB_SAME_WIRE(uint64_t, uint64_val)
#undef PLUMB_SAME_WIRE

template <class T>
struct BitsWire {
  static constexpr int parts = 1;
  static const auto& field(const pb::TensorProto& p) { return p.half_val(); }
  static auto* field(pb::TensorProto* p) { return p->mutable_half_val(); }
  static T Get(const int32_t* v) {
    T value;
    value.bits = static_cast<uint16_t>(*v);
    return value;
  }
  static void Put(T v, int32_t* to) { *to = v.bits; }
};
template <>
struct Wire<Half> : BitsWire<Half> {};
template <>
struct Wire<BFloat16> : BitsWire<BFloat16> {};

template <class Part>
struct ComplexWire {
  static constexpr int parts = 2;
  static std::complex<Part> Get(const Part* v) { return {v[0], v[1]}; }
  static void Put(std::complex<Part> v, Part* to) {
    to[0] = v.real();
    to[1] = v.imag();
  }
};
template <>
struct Wire<std::complex<float>> : ComplexWire<float> {
  static const auto& field(const pb::TensorProto& p) { return p.scomplex_val(); }
  static auto* field(pb::TensorProto* p) { return p->mutable_scomplex_val(); }
};
template <>
struct Wire<std::complex<double>> : ComplexWire<double> {
  static const auto& field(const pb::TensorProto& p) { return p.dcomplex_val(); }
  static auto* field(pb::TensorProto* p) { return p->mutable_dcomplex_val(); }
};

// "[2,?]" as ResourceHandle keeps it; anything else is an unknown shape.
PartialShape ParseShapeText(const std::string& text) {
  std::vector<int64_t> dims;
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return PartialShape::Unknown();
  const char* at = text.c_str() + 1;
  while (*at != ']') {
    char* end = nullptr;
    const int64_t dim = *at == '?' ? -1 : std::strtoll(at, &end, 10);
    if (*at == '?') end = const_cast<char*>(at) + 1;
    if (end == at || (*end != ',' && *end != ']')) return PartialShape::Unknown();
    dims.push_back(dim);
    at = *end == ',' ? end + 1 : end;
  }
  return PartialShape(std::move(dims));
}

ResourceHandle ObjectFromProto(const pb::ResourceHandleProto& from) {
  ResourceHandle handle;
  handle.device = from.device();
  handle.container = from.container();
  handle.name = from.name();
  handle.type_name = from.maybe_type_name();
  handle.hash_code = from.hash_code();
  if (from.dtypes_and_shapes_size() > 0) {
    handle.dtype = DType(from.dtypes_and_shapes(0).dtype());
    handle.shape_text = FromProto(from.dtypes_and_shapes(0).shape()).ToString();
  }
  return handle;
}

void ObjectToProto(const ResourceHandle& handle, pb::ResourceHandleProto* to) {
  to->set_device(handle.device);
  to->set_container(handle.container);
  to->set_name(handle.name);
  to->set_hash_code(handle.hash_code);
  to->set_maybe_type_name(handle.type_name);
  if (handle.dtype == DType::kInvalid && handle.shape_text.empty()) return;
  auto* entry = to->add_dtypes_and_shapes();
  entry->set_dtype(static_cast<pb::DataType>(handle.dtype));
  ToProto(ParseShapeText(handle.shape_text), entry->mutable_shape());
}

Variant ObjectFromProto(const pb::VariantTensorDataProto& from) {
  if (from.tensors_size() > 0) {
    throw Unimplemented("a variant of type '", from.type_name(), "' that holds ", from.tensors_size(), " tensors");
  }
  return {.type_name = from.type_name(), .metadata = from.metadata()};
}

void ObjectToProto(const Variant& variant, pb::VariantTensorDataProto* to) {
  to->set_type_name(variant.type_name);
  to->set_metadata(variant.metadata);
}

const std::string& ObjectFromProto(const std::string& from) { return from; }
void ObjectToProto(const std::string& from, std::string* to) { *to = from; }

template <class T>
const auto& ObjectField(const pb::TensorProto& p) {
  if constexpr (std::is_same_v<T, std::string>) {
    return p.string_val();
  } else if constexpr (std::is_same_v<T, ResourceHandle>) {
    return p.resource_handle_val();
  } else {
    return p.variant_val();
  }
}
template <class T>
auto* AddObject(pb::TensorProto* p) {
  if constexpr (std::is_same_v<T, std::string>) {
    return p->add_string_val();
  } else if constexpr (std::is_same_v<T, ResourceHandle>) {
    return p->add_resource_handle_val();
  } else {
    return p->add_variant_val();
  }
}

// Memory for the tensor, once it is known that the message justifies it: it holds `given` of the elements.
template <class T>
Tensor AllocateFor(const Shape& shape, int64_t given, Expansion* expansion) {
  const int64_t missing = std::max<int64_t>(0, shape.elements() - given);
  const auto added = CheckedMultiply(missing, static_cast<int64_t>(sizeof(T)));
  if (!added || *added > expansion->left) {
    throw ResourceExhausted("a tensor of shape ", shape.ToString(), " is written with only ", given,
                            " of its elements; the rest may not take more than ", kMaxExpansion, " bytes");
  }
  expansion->left -= *added;
  return Tensor(DTypeOf<T>, shape);
}

// Tensor_content of a number type: exactly the elements, little-endian.
template <class T>
Tensor NumbersFromContent(const pb::TensorProto& from, const Shape& shape) {
  const std::string& content = from.tensor_content();
  const auto bytes = CheckedMultiply(shape.elements(), sizeof(T));
  Require(bytes && static_cast<uint64_t>(*bytes) == content.size(), "a tensor of type ", DTypeName(DTypeOf<T>),
          " and shape ", shape.ToString(), " cannot have a content of ", content.size(), " bytes");
  Tensor tensor(DTypeOf<T>, shape);
  if constexpr (std::is_same_v<T, bool>) {
    const auto to = tensor.mutable_data<bool>();
    for (size_t i = 0; i < to.size(); ++i) to[i] = content[i] != 0;
  } else {
    std::memcpy(tensor.mutable_raw(), content.data(), content.size());
  }
  return tensor;
}

template <class T>
Tensor NumbersFromValues(const pb::TensorProto& from, const Shape& shape, Expansion* expansion) {
  using W = Wire<T>;
  const auto& field = W::field(from);
  const int64_t given = std::min<int64_t>(field.size() / W::parts, shape.elements());
  Tensor tensor = AllocateFor<T>(shape, given, expansion);
  const auto to = tensor.mutable_data<T>();
  for (int64_t i = 0; i < given; ++i) to[i] = W::Get(field.data() + i * W::parts);
  std::fill(to.begin() + given, to.end(), given > 0 ? to[given - 1] : T());
  return tensor;
}

// Takes a varint32 off the front of `bytes`.
uint32_t TakeLength(std::string_view* bytes) {
  uint32_t length = 0;
  for (int shift = 0; shift < 35; shift += 7) {
    Require(!bytes->empty(), "the content of a string tensor ends within its lengths");
    const uint8_t byte = static_cast<uint8_t>(bytes->front());
    bytes->remove_prefix(1);
    length |= static_cast<uint32_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return length;
  }
  throw InvalidArgument("the content of a string tensor has a length of more than five bytes");
}

Tensor StringsFromContent(std::string_view content, const Shape& shape) {
  Require(static_cast<uint64_t>(shape.elements()) <= content.size(), "a content of ", content.size(),
          " bytes cannot hold the strings of shape ", shape.ToString());
  std::vector<uint32_t> lengths(static_cast<size_t>(shape.elements()));
  for (uint32_t& length : lengths) length = TakeLength(&content);
  Tensor tensor(DType::kString, shape);
  const auto to = tensor.mutable_data<std::string>();
  for (size_t i = 0; i < lengths.size(); ++i) {
    Require(lengths[i] <= content.size(), "string ", i, " of a tensor is longer than the content that is left");
    to[i] = content.substr(0, lengths[i]);
    content.remove_prefix(lengths[i]);
  }
  Require(content.empty(), "the content of a string tensor has ", content.size(), " bytes too many");
  return tensor;
}

template <class T>
Tensor ObjectsFromValues(const pb::TensorProto& from, const Shape& shape, Expansion* expansion) {
  const auto& field = ObjectField<T>(from);
  const int64_t given = std::min<int64_t>(field.size(), shape.elements());
  Tensor tensor = AllocateFor<T>(shape, given, expansion);
  const auto to = tensor.mutable_data<T>();
  for (int64_t i = 0; i < given; ++i) to[i] = ObjectFromProto(field.Get(static_cast<int>(i)));
  if constexpr (std::is_same_v<T, std::string>) {
    if (given == 0) return tensor;
    const auto added = CheckedMultiply(shape.elements() - given, static_cast<int64_t>(to[given - 1].size()));
    if (!added || *added > expansion->left) throw ResourceExhausted("a repeated string is too long to repeat");
    expansion->left -= *added;
    std::fill(to.begin() + given, to.end(), to[given - 1]);
  }
  return tensor;
}

// Whether one typed value says it all, also in text, which knows only one NaN.
template <class T>
bool IsRepeatedValue(std::span<const T> values) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(values[0])) return false;
  } else if constexpr (requires { values[0].real(); }) {
    if (std::isnan(values[0].real()) || std::isnan(values[0].imag())) return false;
  }
  for (const T& value : values) {
    if (std::memcmp(&value, &values[0], sizeof(T)) != 0) return false;
  }
  return true;
}

template <class T>
void NumbersToProto(const Tensor& tensor, pb::TensorProto* to) {
  const auto values = tensor.data<T>();
  if (values.empty()) return;
  if (!IsRepeatedValue(values)) return to->set_tensor_content(tensor.raw(), tensor.bytes());
  auto* field = Wire<T>::field(to);
  field->Resize(Wire<T>::parts, {});
  Wire<T>::Put(values[0], field->mutable_data());
}

template <class T>
void ObjectsToProto(const Tensor& tensor, pb::TensorProto* to) {
  const auto values = tensor.data<T>();
  size_t count = values.size();
  if constexpr (std::is_same_v<T, std::string>) {
    while (count > 1 && values[count - 1] == values[count - 2]) --count;
  }
  for (size_t i = 0; i < count; ++i) ObjectToProto(values[i], AddObject<T>(to));
}

template <class T>
constexpr bool kIsObject =
    std::is_same_v<T, std::string> || std::is_same_v<T, ResourceHandle> || std::is_same_v<T, Variant>;

}  // namespace

Tensor FromProto(const pb::TensorProto& from, Expansion* expansion) {
  const DType dtype = DType(from.dtype());
  Require(IsValid(dtype) && !IsRef(dtype), "a tensor cannot have the type number ", static_cast<int>(from.dtype()));
  const PartialShape partial = FromProto(from.tensor_shape());
  Require(partial.IsFullyDefined(), "a tensor needs a known shape, not ", partial.ToString());
  const Shape shape = partial.ToShape();
  return VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if (shape.elements() == 0) return Tensor(DTypeOf<T>, shape);
    if constexpr (std::is_same_v<T, std::string>) {
      if (!from.tensor_content().empty()) return StringsFromContent(from.tensor_content(), shape);
      return ObjectsFromValues<T>(from, shape, expansion);
    } else if constexpr (kIsObject<T>) {
      return ObjectsFromValues<T>(from, shape, expansion);
    } else {
      if (!from.tensor_content().empty()) return NumbersFromContent<T>(from, shape);
      return NumbersFromValues<T>(from, shape, expansion);
    }
  });
}

void ToProto(const Tensor& tensor, pb::TensorProto* to) {
  if (!tensor.IsSet()) return;
  to->set_dtype(static_cast<pb::DataType>(tensor.dtype()));
  ToProto(PartialShape(tensor.shape()), to->mutable_tensor_shape());
  VisitType(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (kIsObject<T>) {
      ObjectsToProto<T>(tensor, to);
    } else {
      NumbersToProto<T>(tensor, to);
    }
  });
}

}  // namespace plumb
