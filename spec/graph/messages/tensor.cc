// TensorProto messages (rule 9.4) of numbers, field by field.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "spec/graph/messages/object.h"
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
      *to = static_cast<int32_t>(v.value);
    } else {
      *to = static_cast<int32_t>(v);
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
  expansion->Take(shape, given, sizeof(T));
  Tensor tensor(DTypeOf<T>, shape);
  const auto to = tensor.mutable_data<T>();
  for (int64_t i = 0; i < given; ++i) to[i] = W::Get(field.data() + i * W::parts);
  std::fill(to.begin() + given, to.end(), given > 0 ? to[given - 1] : T());
  return tensor;
}

template <class T>
bool IsNan(const T& value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  if constexpr (requires { value.real(); }) return std::isnan(value.real()) || std::isnan(value.imag());
  return false;
}

// How many elements say it all when the last one is repeated; 0: the content should be written instead, because that
// saves little or would lose the payload of a NaN in text.
template <class T>
size_t TypedCount(std::span<const T> values) {
  size_t count = values.size();
  // Bits, so that -0 and NaN come back as they were. NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
  while (count > 1 && std::memcmp(&values[count - 1], &values[count - 2], sizeof(T)) == 0) --count;
  if (count > 1 && count > values.size() / 2) return 0;
  const auto written = values.first(count);
  return std::any_of(written.begin(), written.end(), IsNan<T>) ? 0 : count;
}

template <class T>
void FieldToProto(std::span<const T> values, pb::TensorProto* to) {
  using W = Wire<T>;
  const auto count = static_cast<int>(values.size());
  auto* field = W::field(to);
  field->Resize(count * W::parts, {});
  for (int i = 0; i < count; ++i) W::Put(values[static_cast<size_t>(i)], field->mutable_data() + i * W::parts);
}

template <class T>
void NumbersToProto(const Tensor& tensor, pb::TensorProto* to) {
  const auto values = tensor.data<T>();
  if (values.empty()) return;
  const size_t count = TypedCount(values);
  if (count == 0) return to->set_tensor_content(tensor.raw(), tensor.bytes());
  FieldToProto(values.first(count), to);
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
  if (ElementSize(dtype) == 0) return ObjectsFromProto(from, dtype, shape, expansion);
  return VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (kIsObject<T>) {
      return Tensor();
    } else {
      if (shape.elements() == 0) return Tensor(DTypeOf<T>, shape);
      if (!from.tensor_content().empty()) return NumbersFromContent<T>(from, shape);
      return NumbersFromValues<T>(from, shape, expansion);
    }
  });
}

void ToProto(const Tensor& tensor, pb::TensorProto* to) {
  if (!tensor.IsSet()) return;
  to->set_dtype(static_cast<pb::DataType>(tensor.dtype()));
  ToProto(PartialShape(tensor.shape()), to->mutable_tensor_shape());
  if (ElementSize(tensor.dtype()) == 0) return ObjectsToProto(tensor, to);
  VisitType(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (!kIsObject<T>) NumbersToProto<T>(tensor, to);
  });
}

void ToProtoInVariant(const Tensor& tensor, pb::TensorProto* to) {
  to->set_dtype(static_cast<pb::DataType>(tensor.dtype()));
  ToProto(PartialShape(tensor.shape()), to->mutable_tensor_shape());
  if (ElementSize(tensor.dtype()) == 0) return ObjectsToProtoInVariant(tensor, to);
  VisitType(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (!kIsObject<T>) FieldToProto<T>(tensor.data<T>(), to);
  });
}

}  // namespace plumb
