#include <algorithm>
#include <cstring>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// Parts of a number that are turned round by themselves: a complex number has two.
size_t PartSize(DType type) { return ElementSize(type) / (IsComplex(type) ? 2 : 1); }

// The bytes as numbers. A bool is true where its byte is not 0.
Tensor Numbers(DType type, const Shape& shape, std::string bytes, bool little_endian) {
  CheckResultSize(shape);
  const auto part = static_cast<int64_t>(PartSize(type));
  for (int64_t end = part; !little_endian && end <= std::ssize(bytes); end += part) {
    std::reverse(bytes.begin() + end - part, bytes.begin() + end);
  }
  if (type == DType::kBool) {
    std::transform(bytes.begin(), bytes.end(), bytes.begin(), [](char c) { return c != 0 ? '\1' : '\0'; });
  }
  Tensor numbers(type, shape);
  if (!bytes.empty()) std::memcpy(numbers.mutable_raw(), bytes.data(), bytes.size());
  return numbers;
}

void DecodeRaw(OpContext& c) {
  const Tensor& input = c.tensor(0);
  const auto size = static_cast<int64_t>(ElementSize(c.output_type(0)));
  std::string all;
  int64_t length = 0;
  for (int64_t i = 0; i < input.elements(); ++i) {
    const std::string& text = input.data<std::string>()[i];
    if (i == 0) length = std::ssize(text);
    Require(std::ssize(text) == length, "string ", i, " has ", text.size(), " bytes, but those before have ", length);
    all += text;
  }
  Require(length % size == 0, "strings of ", length, " bytes are no whole number of elements of ", size);
  const Shape shape = WithInserted(input.shape(), input.rank(), length / size);
  c.Output(0, Numbers(c.output_type(0), shape, std::move(all), c.attr<bool>("little_endian")));
}

void DecodePaddedRaw(OpContext& c) {
  const Tensor& input = c.tensor(0);
  const auto size = static_cast<int64_t>(ElementSize(c.output_type(0)));
  const int64_t length = ScalarOf(c.tensor(1), "fixed_length");
  Require(length > 0 && length % size == 0, "fixed_length must be a positive multiple of ", size, ", not ", length);
  const Shape shape = WithInserted(input.shape(), input.rank(), length / size);
  CheckResultSize(shape);
  std::string all;
  for (std::string text : input.data<std::string>()) {
    text.resize(static_cast<size_t>(length));
    all += text;
  }
  c.Output(0, Numbers(c.output_type(0), shape, std::move(all), c.attr<bool>("little_endian")));
}

constexpr KernelRow kRows[] = {
    {"DecodeRaw", DecodeRaw},
    {"DecodePaddedRaw", DecodePaddedRaw},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ParsingRaw() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
