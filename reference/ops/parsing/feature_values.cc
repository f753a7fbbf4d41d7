#include "reference/ops/parsing/feature_values.h"

#include <cstring>

#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// Tags of fields: the number and how the value is written.
constexpr char kBytes1 = 1 << 3 | 2, kBytes2 = 2 << 3 | 2, kBytes3 = 3 << 3 | 2;
constexpr char kNumber1 = 1 << 3, kFloat1 = 1 << 3 | 5;

char TagOf(DType type) { return type == DType::kString ? kBytes1 : type == DType::kFloat ? kBytes2 : kBytes3; }

template <class T>
Tensor VectorOf(const std::vector<T>& values) {
  return MakeTensor<T>({std::ssize(values)}, std::span<const T>(values));
}

float FloatOf(std::string_view bytes) {
  uint32_t bits = 0;
  for (int i = 3; i >= 0; --i) bits = bits << 8 | static_cast<unsigned char>(bytes[i]);
  float number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

Tensor ReadTexts(WireReader& reader) {
  std::vector<std::string> texts;
  while (!reader.AtEnd()) {
    reader.Expect(kBytes1);
    texts.emplace_back(reader.Text());
  }
  return VectorOf(texts);
}

Tensor ReadFloats(WireReader& reader, Message message) {
  std::vector<float> floats;
  if (!reader.Try(kBytes1)) {
    while (!reader.AtEnd()) {
      reader.Expect(kFloat1);
      floats.push_back(FloatOf(reader.Take(4)));
    }
  } else if (const uint32_t length = reader.Length(); message == Message::kExample) {
    const std::string_view packed = reader.Take(length / 4 * 4);
    for (size_t at = 0; at < packed.size(); at += 4) floats.push_back(FloatOf(packed.substr(at, 4)));
  } else {
    const size_t end = reader.Narrow(length);
    while (!reader.AtEnd()) floats.push_back(FloatOf(reader.Take(4)));
    reader.Widen(end);
  }
  return VectorOf(floats);
}

Tensor ReadIntegers(WireReader& reader) {
  std::vector<int64_t> integers;
  if (reader.Try(kBytes1)) {
    const size_t end = reader.Narrow(reader.Length());
    while (!reader.AtEnd()) integers.push_back(static_cast<int64_t>(reader.Number()));
    reader.Widen(end);
  } else {
    while (!reader.AtEnd()) {
      reader.Expect(kNumber1);
      integers.push_back(static_cast<int64_t>(reader.Number()));
    }
  }
  return VectorOf(integers);
}

}  // namespace

Tensor ReadFeature(WireReader& reader, DType type, Message message) {
  Require(reader.Try(TagOf(type)), "a feature has no values of type ", DTypeName(type));
  const uint32_t length = reader.Length();
  const size_t end = reader.Narrow(length);
  Require(message == Message::kExample || type == DType::kString || length == 0 || !reader.AtEnd(),
          "a feature ends before its values");
  Tensor values = type == DType::kString  ? ReadTexts(reader)
                  : type == DType::kFloat ? ReadFloats(reader, message)
                                          : ReadIntegers(reader);
  reader.Widen(end);
  return values;
}

void ReadEmptyFeature(WireReader& reader, DType type) {
  reader.Expect(TagOf(type));
  Require(reader.Length() == 0, "a feature of two bytes has values");
}

DType TypeOfFeature(std::string_view feature) {
  if (feature.empty()) return DType::kInvalid;
  for (const DType type : {DType::kString, DType::kFloat, DType::kInt64}) {
    if (feature[0] == TagOf(type)) return type;
  }
  throw InvalidArgument("a feature has values that are neither bytes nor floats nor integers");
}

Tensor Joined(DType type, const std::vector<Tensor>& parts) {
  int64_t count = 0;
  for (const Tensor& part : parts) count += part.elements();
  Assembly joined(type, {count});
  count = 0;
  for (const Tensor& part : parts) {
    joined.Copy(count, part, 0, part.elements());
    count += part.elements();
  }
  return joined.Take().tensor;
}

}  // namespace plumb::reference
