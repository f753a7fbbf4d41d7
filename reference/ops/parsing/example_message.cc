#include "reference/ops/parsing/example_message.h"

#include "spec/core/status.h"

namespace plumb::reference {
namespace {

constexpr char kField1 = 1 << 3 | 2;

// The key and the value of an entry of a map, in either order.
ExampleEntry ReadEntry(WireReader& reader) {
  ExampleEntry entry;
  const size_t end = reader.Narrow(reader.Length());
  for (int field = 0; field < 2; ++field) {
    const uint32_t tag = reader.Length();
    Require(tag == 10 || tag == 18, "an entry of the features has a field that is neither key nor value");
    const std::string_view text = reader.Text();
    if (tag == 10) entry.key = text;
    if (tag == 18) entry.feature = text;
  }
  Require(reader.AtEnd(), "an entry of the features has more than a key and a value");
  reader.Widen(end);
  return entry;
}

}  // namespace

std::vector<ExampleEntry> ReadExample(std::string_view bytes) {
  std::vector<ExampleEntry> entries;
  WireReader reader(bytes);
  while (!reader.AtEnd()) {
    if (!reader.Try(kField1)) {
      reader.SkipField();
      continue;
    }
    const size_t end = reader.Narrow(reader.Length());
    while (!reader.AtEnd()) {
      reader.Expect(kField1);
      entries.push_back(ReadEntry(reader));
    }
    reader.Widen(end);
  }
  return entries;
}

std::optional<Tensor> FindFeature(const std::vector<ExampleEntry>& entries, const std::string& key, DType type,
                                  bool skips_empty) {
  std::optional<std::string_view> found;
  for (const ExampleEntry& entry : entries) {
    if (entry.key != key) continue;
    if (TypeOfFeature(entry.feature) != DType::kInvalid || !skips_empty) found = entry.feature;
  }
  if (!found || found->empty()) return std::nullopt;
  Require(TypeOfFeature(*found) == type, "the feature '", key, "' must have values of type ", DTypeName(type));
  WireReader reader(*found);
  return ReadFeature(reader, type, Message::kExample);
}

}  // namespace plumb::reference
