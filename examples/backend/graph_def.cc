#include "graph_def.h"

#include <cstring>

#include "plumb_backend.h"

namespace {

[[noreturn]] void Malformed() { throw Refused(PLUMB_INVALID_ARGUMENT, "the GraphDef is truncated or malformed"); }

// The fields of a message, one after the other. Numbers are in `number`, everything with a length in `bytes`.
class Fields {
 public:
  explicit Fields(std::string_view message) : left_(message) {}

  bool Next() {
    if (left_.empty()) return false;
    const uint64_t key = Varint();
    field = static_cast<int>(key >> 3);
    number = 0;
    bytes = {};
    switch (key & 7) {
      case 0:
        number = Varint();
        return true;
      case 1:
        bytes = Take(8);
        return true;
      case 2:
        bytes = Take(Varint());
        return true;
      case 5:
        bytes = Take(4);
        return true;
      default:
        Malformed();
    }
  }
  bool empty() const { return left_.empty(); }
  uint64_t Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<uint8_t>(Take(1)[0]);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    Malformed();
  }
  std::string_view Take(uint64_t count) {
    if (count > left_.size()) Malformed();
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }

  int field = 0;
  uint64_t number = 0;
  std::string_view bytes;

 private:
  std::string_view left_;
};

Attr ParseAttr(std::string_view message) {
  Attr attr;
  for (Fields f(message); f.Next();) {
    if (f.field == 5) attr.flag = f.number != 0;
    if (f.field == 6) attr.type = static_cast<int32_t>(f.number);
    if (f.field == 8) attr.tensor = f.bytes;
  }
  return attr;
}

Node ParseNode(std::string_view message) {
  Node node;
  for (Fields f(message); f.Next();) {
    if (f.field == 1) node.name = f.bytes;
    if (f.field == 2) node.op = f.bytes;
    if (f.field == 3) node.inputs.emplace_back(f.bytes);
    if (f.field != 5) continue;
    std::string_view key, value;
    for (Fields entry(f.bytes); entry.Next();) (entry.field == 1 ? key : value) = entry.bytes;
    node.attrs[std::string(key)] = ParseAttr(value);
  }
  return node;
}

std::vector<int64_t> ParseShape(std::string_view message) {
  std::vector<int64_t> dims;
  for (Fields f(message); f.Next();) {
    if (f.field != 2) continue;
    dims.push_back(0);
    for (Fields dim(f.bytes); dim.Next();) {
      if (dim.field == 1) dims.back() = static_cast<int64_t>(dim.number);
    }
    if (dims.back() < 0) Malformed();
  }
  return dims;
}

// The numbers of a repeated field, packed or not, appended as elements of the tensor's type.
void AppendNumbers(const Fields& f, int32_t dtype, std::string* content) {
  if (dtype == PLUMB_FLOAT || dtype == PLUMB_DOUBLE) {
    content->append(f.bytes);
    return;
  }
  const auto append = [&](uint64_t number) { content->append(reinterpret_cast<const char*>(&number), WidthOf(dtype)); };
  if (f.bytes.empty()) append(f.number);
  for (Fields packed(f.bytes); !packed.empty();) append(packed.Varint());
}

}  // namespace

int64_t Value::elements() const {
  int64_t count = 1;
  for (const int64_t dim : dims) count *= dim;
  return count;
}

size_t WidthOf(int32_t dtype) {
  if (dtype == PLUMB_BOOL) return 1;
  if (dtype == PLUMB_FLOAT || dtype == PLUMB_INT32) return 4;
  return dtype == PLUMB_DOUBLE || dtype == PLUMB_INT64 ? 8 : 0;
}

Value MakeValue(int32_t dtype, std::vector<int64_t> dims) {
  Value value{dtype, std::move(dims), {}};
  value.bytes.resize(static_cast<size_t>(value.elements()) * WidthOf(dtype));
  return value;
}

int32_t Node::type() const {
  const auto attr = attrs.contains("T") ? attrs.find("T") : attrs.find("dtype");
  return attr == attrs.end() ? 0 : attr->second.type;
}

bool Node::flag(const std::string& attr) const {
  const auto found = attrs.find(attr);
  return found != attrs.end() && found->second.flag;
}

std::vector<Node> ParseGraphDef(std::string_view bytes) {
  std::vector<Node> nodes;
  for (Fields f(bytes); f.Next();) {
    if (f.field == 1) nodes.push_back(ParseNode(f.bytes));
  }
  return nodes;
}

Value ParseTensor(std::string_view bytes) {
  int32_t dtype = 0;
  std::vector<int64_t> dims;
  std::string content;
  for (Fields f(bytes); f.Next();) {
    if (f.field == 1) dtype = static_cast<int32_t>(f.number);
    if (f.field == 2) dims = ParseShape(f.bytes);
    if (f.field == 4) content.append(f.bytes);
    if (f.field >= 5 && f.field != 8 && f.field <= 11) AppendNumbers(f, dtype, &content);
  }
  Value value = MakeValue(dtype, std::move(dims));
  const size_t width = WidthOf(dtype);
  if (content.size() > value.bytes.size()) Malformed();
  if (width == 0 || content.empty()) return value;
  // The last number that is given stands for all that are not.
  const std::string last = content.substr(content.size() - width);
  while (content.size() < value.bytes.size()) content += last;
  std::memcpy(value.bytes.data(), content.data(), content.size());
  return value;
}
