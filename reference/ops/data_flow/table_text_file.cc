// Tables filled from the lines of a file (rule L3).
#include <algorithm>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/table_handle.h"
#include "reference/ops/lib/text_lines.h"
#include "reference/ops/lib/text_number.h"

namespace plumb::reference {
namespace {

constexpr int64_t kWholeLine = -2, kLineNumber = -1;

void CheckNode(const Node& node) {
  const std::string& delimiter = GetAttr<std::string>(node.attrs, "delimiter");
  Require(delimiter.size() == 1, "the delimiter is one character, not '", delimiter, "'");
}

std::vector<std::string> Columns(const std::string& line, char delimiter) {
  std::vector<std::string> columns(1);
  for (const char c : line) {
    if (c == delimiter) {
      columns.emplace_back();
    } else {
      columns.back() += c;
    }
  }
  return columns;
}

// Modulo the type's range.
template <class T>
Tensor Sum(T number, int64_t offset) {
  return MakeScalar(static_cast<T>(static_cast<uint64_t>(number) + static_cast<uint64_t>(offset)));
}

// What the text says up to its first zero byte.
Tensor NumberIn(const std::string& text, DType dtype) {
  Tensor number(dtype, Shape());
  Require(ReadNumber(text.substr(0, text.find('\0')), 0, number), "'", text, "' is no ", DTypeName(dtype));
  return number;
}

Tensor Parsed(const std::string& text, DType dtype, int64_t offset) {
  switch (dtype) {
    case DType::kString:
      return MakeScalar(text);
    case DType::kInt32:
      return Sum(NumberIn(text, dtype).scalar<int32_t>(), offset);
    case DType::kInt64:
    case DType::kFloat:
    case DType::kDouble:
      return NumberIn(text, dtype);
    default:
      throw InvalidArgument("a line of a file gives no ", DTypeName(dtype));
  }
}

// Which part of a line is the key, or the value, and as what it is read.
struct Field {
  std::string_view what;
  int64_t index;
  DType dtype;
  int64_t offset;
  char delimiter;

  void Check() const {
    Require(index != kLineNumber || dtype == DType::kInt64, "the ", what,
            " is the number of the line, which is int64, ", "not ", DTypeName(dtype));
    Require(index != kWholeLine || dtype == DType::kString || IsInteger(dtype), "the ", what,
            " is the whole line, which gives no ", DTypeName(dtype));
  }
  Tensor In(const std::string& line, int64_t number) const {
    if (index == kLineNumber) return Sum(number, offset);
    if (index == kWholeLine) return Parsed(line, dtype, offset);
    const std::vector<std::string> columns = Columns(line, delimiter);
    Require(index < static_cast<int64_t>(columns.size()), "the line '", line, "' has ", columns.size(),
            " columns, but the ", what, " is column ", index, ", counted from 0");
    return Parsed(columns[static_cast<size_t>(index)], dtype, offset);
  }
};

// Of the node; throws kInvalidArgument where lines give no such numbers or texts.
Field FieldOf(const OpContext& c, std::string_view what, DType dtype) {
  const Field field{what, c.attr<int64_t>(Str(what, "_index")), dtype, c.attr<int64_t>("offset"),
                    c.attr<std::string>("delimiter")[0]};
  field.Check();
  return field;
}

void InitializeFromTextFile(OpContext& c) {
  LookupTable& table = TableOf(c);
  Require(!table.is_mutable, "only a table that is filled once is initialised");
  Require(c.tensor(1).rank() == 0, "the filename is a scalar, not of shape ", c.tensor(1).shape().ToString());
  const std::string& path = c.tensor(1).scalar<std::string>();
  Require(!path.empty(), "the filename is empty");
  const Field key = FieldOf(c, "key", table.key_type), value = FieldOf(c, "value", table.value_type);
  const auto wanted = c.attr<int64_t>("vocab_size");
  const std::vector<std::string> lines = LinesToRead(path, wanted);
  const int64_t count = wanted < 0 ? std::ssize(lines) : std::min<int64_t>(wanted, std::ssize(lines));
  for (int64_t i = 0; i < count; ++i) {
    Require(!lines[i].empty(), "line ", i, " of ", path, " is empty");
    const Tensor next_key = key.In(lines[i], i), next_value = value.In(lines[i], i);
    if (table.IsInitialized()) return;  // L3: whatever follows
    table.Add(KeyAt(next_key, 0), next_value);
  }
  Require(count >= wanted, "vocab_size is ", wanted, ", but ", path, " has ", count, " lines");
  table.End();
}

constexpr KernelRow kRows[] = {
    {"InitializeTableFromTextFile", InitializeFromTextFile, CheckNode},
    {"InitializeTableFromTextFileV2", InitializeFromTextFile, CheckNode},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowTableTextFile() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
