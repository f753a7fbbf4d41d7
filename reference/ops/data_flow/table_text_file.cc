// Tables filled from the lines of a file (rule L3).
#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/table_handle.h"
#include "reference/ops/lib/text_lines.h"
#include "spec/files/file_system.h"

namespace plumb::reference {
namespace {

constexpr int64_t kWholeLine = -2, kLineNumber = -1;

void CheckNode(const Node& node) {
  const std::string& delimiter = GetAttr<std::string>(node.attrs, "delimiter");
  Require(delimiter.size() == 1, "the delimiter is one character, not '", delimiter, "'");
  Require(GetAttr<int64_t>(node.attrs, "vocab_size") != 0, "vocab_size must be positive, or -1 for all lines");
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

template <class T>
T NumberIn(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  text.erase(0, text.find_first_not_of(' '));
  T number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  Require(error == std::errc() && stop == end, "'", text, "' is not a number of the table's type");
  return number;
}

Tensor Parsed(const std::string& text, DType dtype) {
  switch (dtype) {
    case DType::kString:
      return MakeScalar(text);
    case DType::kInt32:
      return MakeScalar(NumberIn<int32_t>(text));
    case DType::kInt64:
      return MakeScalar(NumberIn<int64_t>(text));
    case DType::kFloat:
      return MakeScalar(NumberIn<float>(text));
    case DType::kDouble:
      return MakeScalar(NumberIn<double>(text));
    default:
      throw InvalidArgument("a line of a file gives no ", DTypeName(dtype));
  }
}

// Which part of a line is the key, or the value, and as what it is read.
struct Field {
  std::string_view what;
  int64_t index;
  DType dtype;

  void Check(bool allows_integer_lines) const {
    Require(index != kLineNumber || dtype == DType::kInt64, "the ", what,
            " is the number of the line, which is int64, ", "not ", DTypeName(dtype));
    const bool takes_lines = dtype == DType::kString || (allows_integer_lines && IsInteger(dtype));
    Require(index != kWholeLine || takes_lines, "the ", what, " is the whole line, which gives no ", DTypeName(dtype));
  }
  Tensor In(const std::string& line, int64_t number, char delimiter) const {
    if (index == kLineNumber) return MakeScalar(number);
    if (index == kWholeLine) return Parsed(line, dtype);
    const std::vector<std::string> columns = Columns(line, delimiter);
    Require(index < static_cast<int64_t>(columns.size()), "the line '", line, "' has ", columns.size(),
            " columns, but the ", what, " is column ", index, ", counted from 0");
    return Parsed(columns[static_cast<size_t>(index)], dtype);
  }
};

void InitializeFromTextFile(OpContext& c) {
  LookupTable& table = TableOf(c);
  Require(!table.is_mutable, "only a table that is filled once is initialised");
  Require(c.tensor(1).rank() == 0, "the filename is a scalar, not of shape ", c.tensor(1).shape().ToString());
  const std::string& path = c.tensor(1).scalar<std::string>();
  Require(!path.empty(), "the filename is empty");
  const Field key{"key", c.attr<int64_t>("key_index"), table.key_type};
  const Field value{"value", c.attr<int64_t>("value_index"), table.value_type};
  key.Check(/*allows_integer_lines=*/true);
  value.Check(/*allows_integer_lines=*/false);
  const std::vector<std::string> lines = LinesOf(Files().Read(path));
  if (table.IsInitialized()) return;  // whatever the file says
  if (lines.empty()) throw OutOfRange("the file ", path, " is empty");
  const int64_t wanted = c.attr<int64_t>("vocab_size");
  const int64_t count = wanted < 0 ? std::ssize(lines) : std::min<int64_t>(wanted, std::ssize(lines));
  const char delimiter = c.attr<std::string>("delimiter")[0];
  const int64_t offset = c.attr<int64_t>("offset");
  for (int64_t i = 0; i < count; ++i) {
    Require(!lines[i].empty(), "line ", i, " of ", path, " is empty");
    table.Add(KeyAt(key.In(lines[i], i + offset, delimiter), 0), value.In(lines[i], i + offset, delimiter));
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
