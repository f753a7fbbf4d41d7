#include "spec/checkpoint/slice.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>

#include "spec/core/status.h"
#include "spec/proto/checkpoint.pb.h"

namespace plumb {
namespace {

std::vector<std::string_view> Split(std::string_view text, char separator, bool keep_empty) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    if (keep_empty || end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<int64_t> ParseInt(std::string_view text) {
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

TensorSlice ParseSlice(std::string_view text) {
  TensorSlice slice;
  for (const std::string_view part : Split(text, ':', false)) {
    if (part == "-") {
      slice.extents.emplace_back();
      continue;
    }
    const auto numbers = Split(part, ',', false);
    const auto start = numbers.size() == 2 ? ParseInt(numbers[0]) : std::nullopt;
    const auto length = numbers.size() == 2 ? ParseInt(numbers[1]) : std::nullopt;
    Require(start && length, "the slice '", text, "' should consist of pairs 'start,length' or '-', but has '", part,
            "'");
    Require(*start >= 0 && *length > 0, "the slice '", text, "' has a negative start or no length in '", part, "'");
    slice.extents.push_back({*start, *length});
  }
  return slice;
}

void AppendBigEndian(uint64_t value, int bytes, std::string* to) {
  for (int i = bytes - 1; i >= 0; --i) to->push_back(static_cast<char>(value >> (8 * i)));
}

// Strings and numbers such that the order of what is written is the order of what it stands for.
void AppendOrderedString(std::string_view text, std::string* to) {
  for (const char c : text) {
    to->push_back(c);
    if (c == '\x00') to->push_back('\xff');
    if (c == '\xff') to->push_back('\x00');
  }
  to->append(std::string_view("\x00\x01", 2));
}
void AppendOrderedCount(uint64_t value, std::string* to) {
  const int bytes = (std::bit_width(value) + 7) / 8;
  to->push_back(static_cast<char>(bytes));
  AppendBigEndian(value, bytes, to);
}
// As many leading ones as bytes, then a zero, then the number in two's complement; all inverted for negative ones.
void AppendOrderedInt(int64_t value, std::string* to) {
  constexpr int kBitsPerByte = 7;
  constexpr int kMostBytes = 10;
  const uint64_t magnitude = static_cast<uint64_t>(value < 0 ? ~value : value);
  const int bytes = std::bit_width(magnitude) / kBitsPerByte + 1;
  std::string digits(kMostBytes - 8, value < 0 ? '\xff' : '\x00');
  AppendBigEndian(static_cast<uint64_t>(value), 8, &digits);
  digits.erase(0, static_cast<size_t>(kMostBytes - bytes));
  const int header = 0xffff << (16 - bytes);
  digits[0] = static_cast<char>(digits[0] ^ (header >> 8));
  if (bytes > 1) digits[1] = static_cast<char>(digits[1] ^ header);
  to->append(digits);
}

}  // namespace

bool TensorSlice::IsWhole() const {
  return std::all_of(extents.begin(), extents.end(), [](const Extent& extent) { return extent.IsAll(); });
}

std::string TensorSlice::ToString() const {
  std::string text;
  for (const Extent& extent : extents) {
    if (!text.empty()) text += ':';
    text += extent.IsAll() ? "-" : Str(extent.start, ",", extent.length);
  }
  return text;
}

Shape ShapeOfSlice(const TensorSlice& slice, const Shape& shape) {
  if (static_cast<int>(slice.extents.size()) != shape.rank()) {
    throw Internal("the slice '", slice.ToString(), "' has another rank than the shape ", shape.ToString());
  }
  std::vector<int64_t> dims = shape.ToVector();
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    const Extent& extent = slice.extents[axis];
    if (extent.IsAll()) continue;
    if (extent.start > dims[axis] || extent.length > dims[axis] - extent.start) {
      throw Internal("the slice '", slice.ToString(), "' goes beyond dimension ", axis, " of the shape ",
                     shape.ToString());
    }
    dims[axis] = extent.length;
  }
  return Shape(dims);
}

bool Overlap(const TensorSlice& a, const TensorSlice& b, const Shape& shape) {
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const Extent &x = a.extents[axis], &y = b.extents[axis];
    if (x.start >= y.End(shape[axis]) || y.start >= x.End(shape[axis])) return false;
  }
  return true;
}

ShapeAndSlice ParseShapeAndSlice(const std::string& text) {
  const auto parts = Split(text, ' ', true);
  Require(parts.size() >= 2, "'", text, "' should be the dimensions of a shape and a slice, with spaces between them");
  ShapeAndSlice parsed;
  parsed.slice = ParseSlice(parts.back());
  std::vector<int64_t> dims;
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    const auto dim = ParseInt(parts[i]);
    Require(dim.has_value(), "'", parts[i], "' in '", text, "' is no dimension");
    dims.push_back(*dim);
  }
  parsed.shape = Shape(dims);
  parsed.slice_shape = ShapeOfSlice(parsed.slice, parsed.shape);
  return parsed;
}

std::string SliceKey(std::string_view name, const TensorSlice& slice) {
  std::string key;
  AppendOrderedCount(0, &key);
  AppendOrderedString(name, &key);
  AppendOrderedCount(slice.extents.size(), &key);
  for (const Extent& extent : slice.extents) {
    AppendOrderedInt(extent.start, &key);
    AppendOrderedInt(extent.length, &key);
  }
  return key;
}

std::string NameOfKey(std::string_view key) {
  if (!key.starts_with('\0')) return std::string(key);
  std::string whole;  // what the key of a slice begins with: a count, and the name behind it
  AppendOrderedCount(0, &whole);
  const std::string_view rest = key.substr(whole.size());
  return std::string(rest.substr(0, rest.find('\0')));
}

TensorSlice FromProto(const pb::TensorSliceProto& from) {
  TensorSlice slice;
  for (const auto& extent : from.extent()) {
    const bool is_all = extent.has_length_case() == pb::TensorSliceProto::Extent::HAS_LENGTH_NOT_SET;
    if (extent.start() < 0 || (is_all ? extent.start() != 0 : extent.length() <= 0)) {
      throw DataLoss("a slice of a checkpoint has an extent from ", extent.start(), " with length ", extent.length());
    }
    slice.extents.push_back({extent.start(), is_all ? Extent::kAll : extent.length()});
  }
  return slice;
}

void ToProto(const TensorSlice& slice, pb::TensorSliceProto* to) {
  for (const Extent& extent : slice.extents) {
    auto* const written = to->add_extent();
    if (extent.IsAll()) continue;
    written->set_start(extent.start);
    written->set_length(extent.length);
  }
}

}  // namespace plumb
