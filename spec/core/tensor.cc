#include "spec/core/tensor.h"

#include <cstring>
#include <new>

#include "spec/core/fences.h"
#include "spec/core/memory.h"
#include "spec/core/variant_codec.h"

namespace plumb {
namespace {

constexpr std::align_val_t kAlignment{64};

// The count of live objects sits in front of an object buffer, so that release() can destroy them.
template <class Object>
struct ObjectBuffer : Buffer {
  std::vector<Object> objects;
};

template <class Object>
Buffer* NewObjectBuffer(int64_t count) {
  RequireMemory(count, sizeof(Object));
  auto* buffer = new ObjectBuffer<Object>;
  buffer->objects.resize(static_cast<size_t>(count));
  buffer->data = buffer->objects.data();
  buffer->bytes = static_cast<size_t>(count) * sizeof(Object);
  buffer->release = [](Buffer* self) { delete static_cast<ObjectBuffer<Object>*>(self); };
  return buffer;
}

Buffer* NewBufferFor(DType dtype, int64_t elements) {
  switch (dtype) {
    case DType::kString:
      return NewObjectBuffer<std::string>(elements);
    case DType::kResource:
      return NewObjectBuffer<ResourceHandle>(elements);
    case DType::kVariant:
      return NewObjectBuffer<Variant>(elements);
    default: {
      const auto bytes = CheckedMultiply(elements, static_cast<int64_t>(ElementSize(dtype)));
      if (!bytes) throw ResourceExhausted("a tensor of ", elements, " elements is larger than the address space");
      RequireMemory(elements, static_cast<int64_t>(ElementSize(dtype)));
      return NewHeapBuffer(static_cast<size_t>(*bytes));
    }
  }
}

// A byte of a text in quotes. What can be printed, and UTF-8, stays.
void AppendByte(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') out += '\\';
  if (byte >= 0x20 && byte != 0x7f) {
    out += c;
    return;
  }
  char text[8];
  snprintf(text, sizeof(text), "\\x%02x", byte);
  out += text;
}

template <class T>
void PrintElement(std::string& out, const T& element) {
  if constexpr (std::is_same_v<T, std::string>) {
    out += '"';
    for (const char c : element) AppendByte(out, c);
    out += '"';
  } else if constexpr (std::is_same_v<T, ResourceHandle>) {
    out += "<" + element.type_name + " " + element.container + "/" + element.name + ">";
  } else if constexpr (std::is_same_v<T, Variant>) {
    out += "<" + element.type_name + ">";
  } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    internal::AppendTo(out, static_cast<float>(element));
  } else if constexpr (std::is_same_v<T, float>) {
    char text[32];
    snprintf(text, sizeof(text), "%.9g", static_cast<double>(element));
    out += text;
  } else if constexpr (requires { element.real(); }) {
    out += Str("(", element.real(), ",", element.imag(), ")");
  } else if constexpr (requires { element.value; }) {
    internal::AppendTo(out, static_cast<int>(element.value));
  } else if constexpr (std::is_integral_v<T> && sizeof(T) < 4 && !std::is_same_v<T, bool>) {
    internal::AppendTo(out, static_cast<int>(element));
  } else {
    internal::AppendTo(out, element);
  }
}

}  // namespace

Buffer* NewHeapBuffer(size_t bytes) {
  if (Fences::AreUp()) [[unlikely]]
    return NewFencedBuffer(bytes);
  constexpr size_t kHeader = 64;
  static_assert(sizeof(Buffer) <= kHeader);
  void* memory = bytes > SIZE_MAX - kHeader ? nullptr : ::operator new(kHeader + bytes, kAlignment, std::nothrow);
  if (memory == nullptr) throw ResourceExhausted("no memory for a tensor of ", bytes, " bytes");
  auto* buffer = new (memory) Buffer;
  buffer->data = static_cast<char*>(memory) + kHeader;
  buffer->bytes = bytes;
  buffer->release = [](Buffer* self) { ::operator delete(self, kAlignment); };
  return buffer;
}

Tensor::Tensor(DType dtype, Shape shape)
    : buffer_(NewBufferFor(dtype, shape.elements())), dtype_(dtype), shape_(std::move(shape)) {}

void Tensor::ThrowTypeMismatch(DType wanted) const {
  throw Internal("a tensor of type ", DTypeName(dtype_), " was read as ", DTypeName(wanted));
}

Tensor Tensor::Reshaped(Shape shape) const {
  Require(shape.elements() == elements(), "a tensor of ", elements(), " elements cannot take the shape ",
          shape.ToString());
  Tensor result(*this);
  result.shape_ = std::move(shape);
  return result;
}

Tensor Tensor::Rows(int64_t first, int64_t count) const {
  Require(rank() > 0 && first >= 0 && count >= 0 && first <= dim(0) - count, "rows ", first, " to ", first + count,
          " are not all rows of ", shape_.ToString());
  std::vector<int64_t> dims = shape_.ToVector();
  dims[0] = count;
  Tensor rows(*this);
  rows.shape_ = Shape(dims);
  const int64_t row = dim(0) == 0 ? 0 : elements() / dim(0);
  const size_t width = VisitType(dtype_, [](auto tag) { return sizeof(typename decltype(tag)::Type); });
  rows.offset_ += static_cast<size_t>(first * row) * width;
  return rows;
}

Tensor Tensor::OnBuffer(Buffer* buffer) const {
  Tensor part(dtype_, shape_, buffer);
  part.offset_ = offset_;
  return part;
}

Tensor Tensor::Clone() const {
  if (!IsSet()) return Tensor();
  Tensor copy(dtype_, shape_);
  VisitType(dtype_, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const auto from = data<T>();
    std::copy(from.begin(), from.end(), copy.mutable_data<T>().begin());
  });
  return copy;
}

std::string Tensor::ToString(int64_t limit) const {
  if (!IsSet()) return "<unset>";
  std::string text = Str(DTypeName(dtype_), shape_.ToString(), " {");
  VisitType(dtype_, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const auto values = data<T>();
    for (int64_t i = 0; i < elements() && i < limit; ++i) {
      if (i > 0) text += ", ";
      PrintElement<T>(text, values[i]);
    }
  });
  if (elements() <= limit) return text + "}";
  return text + (limit > 0 ? ", …}" : "…}");
}

bool Tensor::BitwiseEquals(const Tensor& other) const {
  if (dtype_ != other.dtype_ || !(shape_ == other.shape_)) return false;
  if (!IsSet() || elements() == 0) return true;
  if (ElementSize(dtype_) > 0) return std::memcmp(raw(), other.raw(), bytes()) == 0;
  return VisitType(dtype_, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const auto a = data<T>(), b = other.data<T>();
    if constexpr (std::is_same_v<T, Variant>) {
      return std::equal(a.begin(), a.end(), b.begin(), HoldTheSame);
    } else if constexpr (requires { a[0] == b[0]; }) {
      return std::equal(a.begin(), a.end(), b.begin());
    } else {
      return false;
    }
  });
}

Tensor Zeros(DType dtype, const Shape& shape) {
  Tensor tensor(dtype, shape);
  if (ElementSize(dtype) > 0 && tensor.bytes() > 0) std::memset(tensor.mutable_raw(), 0, tensor.bytes());
  return tensor;
}

std::vector<int64_t> ToInt64s(const Tensor& tensor) {
  if (tensor.dtype() == DType::kInt64) {
    const auto values = tensor.data<int64_t>();
    return {values.begin(), values.end()};
  }
  Require(tensor.dtype() == DType::kInt32, "int32 or int64 is needed, not ", DTypeName(tensor.dtype()));
  const auto values = tensor.data<int32_t>();
  return {values.begin(), values.end()};
}

}  // namespace plumb
