#include "spec/formats/npy.h"

#include <algorithm>
#include <bit>
#include <complex>
#include <cstring>
#include <optional>
#include <vector>

#include "spec/core/quantized.h"
#include "spec/files/file.h"
#include "spec/formats/npy_header.h"

namespace plumb {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as they lie in memory");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kAlignment = 64;               // of the first element
constexpr size_t kMostBytes = size_t{1} << 30;  // of one element

struct TypeCode {
  char kind;
  size_t bytes;
  DType dtype;
};
constexpr TypeCode kCodes[] = {
    {'b', 1, DType::kBool},      {'i', 1, DType::kInt8},        {'i', 2, DType::kInt16},  {'i', 4, DType::kInt32},
    {'i', 8, DType::kInt64},     {'u', 1, DType::kUint8},       {'u', 2, DType::kUint16}, {'u', 4, DType::kUint32},
    {'u', 8, DType::kUint64},    {'f', 2, DType::kHalf},        {'f', 4, DType::kFloat},  {'f', 8, DType::kDouble},
    {'c', 8, DType::kComplex64}, {'c', 16, DType::kComplex128},
};

// --- elements -------------------------------------------------------------------------------------------------------

// The file's element at `position` comes `Next`: in C's order, whatever the file's.
class Order {
 public:
  Order(const NpyHeader& header)
      : header_(header), coordinate_(header.dims.size(), 0) {}  // NOLINT: the order of a file
  size_t position() const { return position_; }
  void Next() {
    if (!header_.is_fortran) {
      ++position_;
      return;
    }
    for (size_t axis = coordinate_.size(); axis-- > 0;) {
      if (++coordinate_[axis] < header_.dims[axis]) break;
      coordinate_[axis] = 0;
    }
    position_ = 0;
    for (size_t axis = coordinate_.size(); axis-- > 0;) {
      position_ = position_ * static_cast<size_t>(header_.dims[axis]) + static_cast<size_t>(coordinate_[axis]);
    }
  }

 private:
  const NpyHeader& header_;
  std::vector<int64_t> coordinate_;
  size_t position_ = 0;
};

Tensor Numbers(const NpyHeader& header, DType dtype, const Shape& shape, std::string_view bytes) {
  Tensor tensor(dtype, shape);
  const size_t size = header.element.bytes, part = header.element.kind == 'c' ? size / 2 : size;
  if (!header.is_fortran && !header.element.is_big_endian && dtype != DType::kBool) {
    if (!bytes.empty()) std::memcpy(tensor.mutable_raw(), bytes.data(), bytes.size());
    return tensor;
  }
  char* to = static_cast<char*>(tensor.mutable_raw());
  Order order(header);
  for (int64_t i = 0; i < shape.elements(); ++i, to += size, order.Next()) {
    std::memcpy(to, bytes.data() + order.position() * size, size);
    if (dtype == DType::kBool) *to = *to != 0;
    if (!header.element.is_big_endian) continue;
    for (size_t at = 0; at < size; at += part) std::reverse(to + at, to + at + part);
  }
  return tensor;
}

void AppendUtf8(uint32_t point, std::string* text, std::string_view name) {
  Require(point <= 0x10ffff && (point < 0xd800 || point > 0xdfff), name, ": a text holds ", point,
          ", which is no character");
  if (point < 0x80) return text->push_back(static_cast<char>(point));
  const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;  // bytes after the first
  constexpr uint32_t kFirst[] = {0, 0xc0, 0xe0, 0xf0};
  text->push_back(static_cast<char>(kFirst[more] | point >> 6 * more));
  for (int i = more - 1; i >= 0; --i) text->push_back(static_cast<char>(0x80 | (point >> 6 * i & 0x3f)));
}

std::string TextOf(std::string_view bytes, const NpyElement& element, std::string_view name) {
  if (element.kind == kRecord) {
    int64_t length = 0;
    std::memcpy(&length, bytes.data(), kLengthBytes);
    bytes.remove_prefix(kLengthBytes);
    Require(0 <= length && static_cast<uint64_t>(length) <= bytes.size(), name, ": a string of ", length,
            " bytes lies in ", bytes.size());
    return std::string(bytes.substr(0, static_cast<size_t>(length)));
  }
  if (element.kind == 'S') {
    const size_t last = bytes.find_last_not_of('\0');
    return std::string(bytes.substr(0, last == std::string_view::npos ? 0 : last + 1));
  }
  std::vector<uint32_t> points(bytes.size() / sizeof(uint32_t));
  for (size_t i = 0; i < points.size(); ++i) {
    std::memcpy(&points[i], bytes.data() + i * sizeof(uint32_t), sizeof(uint32_t));
    if (element.is_big_endian) points[i] = __builtin_bswap32(points[i]);
  }
  while (!points.empty() && points.back() == 0) points.pop_back();
  std::string text;
  for (const uint32_t point : points) AppendUtf8(point, &text, name);
  return text;
}

Tensor Texts(const NpyHeader& header, const Shape& shape, size_t size, std::string_view bytes, std::string_view name) {
  Tensor tensor(DType::kString, shape);
  const auto texts = tensor.mutable_data<std::string>();
  Order order(header);
  for (std::string& text : texts) {
    text = TextOf(bytes.substr(order.position() * size, size), header.element, name);
    order.Next();
  }
  return tensor;
}

DType TypeOf(const NpyElement& element, std::string_view name) {
  if (element.kind == 'S' || element.kind == 'U' || element.kind == kRecord) return DType::kString;
  for (const TypeCode& code : kCodes) {
    if (code.kind == element.kind && code.bytes == element.bytes) return code.dtype;
  }
  throw Unimplemented(name, ": elements of kind '", element.kind, "' and ", element.bytes,
                      " bytes have no counterpart among the element types");
}

// --- writing --------------------------------------------------------------------------------------------------------

// What stands in the file for the tensor: of a type that NumPy has.
Tensor Representable(const Tensor& tensor) {
  if (tensor.dtype() != DType::kBfloat16) return tensor;
  Tensor wide(DType::kFloat, tensor.shape());
  const auto from = tensor.data<BFloat16>();
  const auto to = wide.mutable_data<float>();
  for (size_t i = 0; i < from.size(); ++i) to[i] = static_cast<float>(from[i]);
  return wide;
}

size_t LongestText(std::span<const std::string> texts) {
  size_t longest = 1;  // NumPy has no byte strings of length 0
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  return longest;
}

// Whether byte strings of NumPy would lose the end of one.
bool NeedRecords(std::span<const std::string> texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [](const std::string& text) { return !text.empty() && text.back() == '\0'; });
}

std::string DescrOf(std::span<const std::string> texts) {
  const size_t longest = LongestText(texts);
  return NeedRecords(texts) ? Str(kRecordsBegin, longest, kRecordsEnd) : Str("'|S", longest, "'");
}

std::string Descr(const Tensor& tensor) {
  if (tensor.dtype() == DType::kString) return DescrOf(tensor.data<std::string>());
  const DType stored = StorageType(tensor.dtype());
  for (const TypeCode& code : kCodes) {
    if (code.dtype == stored) return Str(code.bytes == 1 ? "'|" : "'<", code.kind, code.bytes, "'");
  }
  throw InvalidArgument("values of type ", DTypeName(tensor.dtype()), " cannot be written as .npy");
}

std::string HeaderOf(const Tensor& tensor) {
  std::string shape;
  for (const int64_t dim : tensor.shape().dims()) shape += Str(dim, tensor.rank() == 1 ? "," : ", ");
  if (tensor.rank() > 1) shape.resize(shape.size() - 2);
  std::string text = Str("{'descr': ", Descr(tensor), ", 'fortran_order': False, 'shape': (", shape, "), }");
  // Version 1, of whose length two bytes tell: what kMaxRank dimensions say of themselves is far shorter than they can.
  constexpr size_t kBytesOfLength = 2;
  const size_t before = kMagic.size() + 2 + kBytesOfLength;
  text.append((kAlignment - (before + text.size() + 1) % kAlignment) % kAlignment, ' ');
  text.push_back('\n');
  std::string header(kMagic);
  header += {'\1', '\0'};
  for (size_t i = 0; i < kBytesOfLength; ++i) header.push_back(static_cast<char>(text.size() >> 8 * i));
  return header + text;
}

}  // namespace

Tensor ParseNpy(std::string_view bytes, std::string_view name) {
  Require(bytes.substr(0, kMagic.size()) == kMagic, name, " is not a .npy file: it does not begin with \\x93NUMPY");
  const auto need = [&](size_t length, const char* what) {
    if (bytes.size() < length) throw DataLoss(name, " ends at offset ", bytes.size(), ", within ", what);
  };
  need(kMagic.size() + 2, "the version");
  const int version = static_cast<uint8_t>(bytes[kMagic.size()]);
  Require(1 <= version && version <= 3, name, " has the version ", version, "; 1, 2 and 3 are read");
  const size_t length_bytes = version == 1 ? 2 : 4, start = kMagic.size() + 2 + length_bytes;
  need(start, "the length of its header");
  size_t length = 0;
  for (size_t i = 0; i < length_bytes; ++i)
    length |= size_t{static_cast<uint8_t>(bytes[start - length_bytes + i])} << 8 * i;
  need(start + length, "its header");
  const NpyHeader header = ReadNpyHeader(bytes.substr(start, length), name);
  bytes.remove_prefix(start + length);
  const DType dtype = TypeOf(header.element, name);
  Shape shape;
  try {
    shape = Shape(header.dims);
  } catch (const Error& error) {
    throw InvalidArgument(name, ": ", error.what());
  }
  Require(0 < header.element.bytes && header.element.bytes <= kMostBytes, name, ": elements of ", header.element.bytes,
          " bytes are not read; those of 1 to ", kMostBytes, " are");
  const size_t size = header.element.bytes * (header.element.kind == 'U' ? sizeof(uint32_t) : 1);
  const auto elements = static_cast<size_t>(shape.elements());
  if (elements > bytes.size() / size) {
    throw DataLoss(name, " ends within its ", elements, " elements, after ", bytes.size(), " bytes of them");
  }
  Require(bytes.size() == elements * size, name, " goes on after its last element");
  return dtype == DType::kString ? Texts(header, shape, size, bytes, name) : Numbers(header, dtype, shape, bytes);
}

Tensor ReadNpy(const std::string& path) { return ParseNpy(ReadFile(path), path); }

std::string NpyBytes(const Tensor& tensor) {
  const Tensor written = Representable(tensor);
  std::string bytes = HeaderOf(written);
  if (written.dtype() != DType::kString) {
    const size_t size = static_cast<size_t>(written.elements()) * ElementSize(written.dtype());
    if (size > 0) bytes.append(static_cast<const char*>(written.raw()), size);
    return bytes;
  }
  const auto texts = written.data<std::string>();
  const size_t longest = LongestText(texts);
  const bool need_records = NeedRecords(texts);
  for (const std::string& text : texts) {
    const auto length = static_cast<int64_t>(text.size());
    if (need_records) bytes.append(reinterpret_cast<const char*>(&length), kLengthBytes);
    bytes.append(text).append(longest - text.size(), '\0');
  }
  return bytes;
}

void WriteNpy(const std::string& path, const Tensor& tensor) { WriteFile(path, NpyBytes(tensor)); }

}  // namespace plumb
