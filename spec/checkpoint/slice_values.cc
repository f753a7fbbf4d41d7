#include "spec/checkpoint/slice_values.h"

#include <cstring>
#include <type_traits>
#include <utility>

#include "spec/checkpoint/slice_file.h"
#include "spec/proto/tensor.pb.h"

namespace plumb {
namespace checkpoint {
namespace {

// The field that elements of a type travel in, and how. Small integers and codes share one.
template <class T>
struct Field;
#define PLUMB_FIELD(type, name, put, get)                                                  \
  template <>                                                                              \
  struct Field<type> {                                                                     \
    static constexpr int kParts = 1;                                                       \
    static const auto& In(const pb::TensorProto& message) { return message.name(); }       \
    static auto* MutableIn(pb::TensorProto* message) { return message->mutable_##name(); } \
    static void Put(const type& v, pb::TensorProto* message) { message->add_##name(put); } \
    template <class Fields>                                                                \
    static type Get(const Fields& fields, int i) {                                         \
      const auto& w = fields.Get(i);                                                       \
      return get;                                                                          \
    }                                                                                      \
  };
PLUMB_FIELD(float, float_val, v, w)
PLUMB_FIELD(double, double_val, v, w)
PLUMB_FIELD(int64_t, int64_val, v, w)
PLUMB_FIELD(bool, bool_val, v, w)
PLUMB_FIELD(std::string, string_val, v, w)
PLUMB_FIELD(int32_t, int_val, v, w)
PLUMB_FIELD(int16_t, int_val, v, static_cast<int16_t>(w))
PLUMB_FIELD(int8_t, int_val, v, static_cast<int8_t>(w))
PLUMB_FIELD(uint16_t, int_val, v, static_cast<uint16_t>(w))
PLUMB_FIELD(uint8_t, int_val, v, static_cast<uint8_t>(w))
PLUMB_FIELD(Qint8, int_val, v.value, {static_cast<int8_t>(w)})
PLUMB_FIELD(Quint8, int_val, v.value, {static_cast<uint8_t>(w)})
PLUMB_FIELD(Qint32, int_val, v.value, {w})
#undef PLUMB_FIELD

template <>
struct Field<Half> {
  static constexpr int kParts = 1;
  static const auto& In(const pb::TensorProto& message) { return message.half_val(); }
  static void Put(Half v, pb::TensorProto* message) { message->add_half_val(v.bits); }
  template <class Fields>
  static Half Get(const Fields& fields, int i) {
    Half v;
    v.bits = static_cast<uint16_t>(fields.Get(i));
    return v;
  }
};

#define PLUMB_COMPLEX_FIELD(type, name)                                                    \
  template <>                                                                              \
  struct Field<type> {                                                                     \
    static constexpr int kParts = 2;                                                       \
    static const auto& In(const pb::TensorProto& message) { return message.name(); }       \
    static auto* MutableIn(pb::TensorProto* message) { return message->mutable_##name(); } \
    static void Put(type v, pb::TensorProto* message) {                                    \
      message->add_##name(v.real());                                                       \
      message->add_##name(v.imag());                                                       \
    }                                                                                      \
    template <class Fields>                                                                \
    static type Get(const Fields& fields, int i) {                                         \
      return {fields.Get(2 * i), fields.Get(2 * i + 1)};                                   \
    }                                                                                      \
  };
PLUMB_COMPLEX_FIELD(std::complex<float>, scomplex_val)
PLUMB_COMPLEX_FIELD(std::complex<double>, dcomplex_val)
#undef PLUMB_COMPLEX_FIELD

template <class T>
concept HasField = requires {
  Field<T>::kParts;
};

template <class T>
using WordOf = typename std::remove_cvref_t<decltype(Field<T>::In(std::declval<pb::TensorProto>()))>::value_type;

// Whether elements lie in their field as they do in memory: each as one word, or as two.
template <class T>
constexpr bool kIsStoredAsIs = [] {
  if constexpr (HasField<T> && !std::is_same_v<T, std::string>) {
    return std::is_arithmetic_v<WordOf<T>> && sizeof(T) == Field<T>::kParts * sizeof(WordOf<T>);
  } else {
    return false;
  }
}();

}  // namespace

void PutValues(const Tensor& tensor, pb::TensorProto* to) {
  VisitType(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (kIsStoredAsIs<T>) {
      const auto* const words = static_cast<const WordOf<T>*>(tensor.raw());
      Field<T>::MutableIn(to)->Add(words, words + tensor.elements() * Field<T>::kParts);
    } else if constexpr (HasField<T>) {
      for (const T& value : tensor.data<T>()) Field<T>::Put(value, to);
    } else {
      const std::string why = Str("checkpoints of the first format hold no ", DTypeName(tensor.dtype()));
      constexpr bool kIsWideUnsigned = std::is_same_v<T, uint32_t> || std::is_same_v<T, uint64_t>;
      throw Error(kIsWideUnsigned ? Code::kInvalidArgument : Code::kUnimplemented, why);
    }
  });
}

Tensor TakeValues(const pb::TensorProto& from, DType dtype, const Shape& shape) {
  return VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (HasField<T>) {
      const auto& field = Field<T>::In(from);
      if (field.size() / Field<T>::kParts != shape.elements() || field.size() % Field<T>::kParts != 0) {
        throw DataLoss("a checkpoint has ", field.size(), " numbers for a part of the shape ", shape.ToString());
      }
      Tensor tensor(dtype, shape);
      const auto to = tensor.mutable_data<T>();
      if constexpr (kIsStoredAsIs<T>) {
        if (!to.empty()) std::memcpy(to.data(), field.data(), to.size_bytes());
      } else {
        for (size_t i = 0; i < to.size(); ++i) to[i] = Field<T>::Get(field, static_cast<int>(i));
      }
      return tensor;
    } else {
      throw Unimplemented("checkpoints of the first format hold no ", DTypeName(dtype));
      return Tensor();
    }
  });
}

}  // namespace checkpoint

bool IsSliceFileType(DType dtype) {
  return VisitType(dtype, [](auto tag) { return checkpoint::HasField<typename decltype(tag)::Type>; });
}

}  // namespace plumb
