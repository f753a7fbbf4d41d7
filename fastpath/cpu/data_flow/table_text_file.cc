// Tables filled from the lines of a file (rule L3).
#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/lookup_table.h"
#include "fastpath/cpu/lib/text_lines.h"
#include "fastpath/device/kernel.h"
#include "spec/files/file_system.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kWholeLine = -2, kLineNumber = -1;

// What one side of the pairs is made of.
class Field {
 public:
  Field(const char* what, int64_t index, char delimiter) : what_(what), index_(index), delimiter_(delimiter) {}

  void RequireType(DType type, bool takes_integers) const {
    Require(index_ != kLineNumber || type == DType::kInt64, "line numbers are int64, the table's ", what_, "s ",
            DTypeName(type));
    Require(index_ != kWholeLine || type == DType::kString || (takes_integers && IsInteger(type)),
            "whole lines are no ", what_, "s of type ", DTypeName(type));
  }

  // Reads it from a line into element `row`.
  void Read(std::string_view line, int64_t number, Tensor& to, int64_t row) const {
    if (index_ == kLineNumber) {
      to.mutable_data<int64_t>()[row] = number;
      return;
    }
    const std::string_view text = index_ == kWholeLine ? line : ColumnOf(line);
    switch (to.dtype()) {
      case DType::kString:
        to.mutable_data<std::string>()[row].assign(text);
        return;
      case DType::kInt32:
        return ReadNumber(text, to.mutable_data<int32_t>()[row]);
      case DType::kInt64:
        return ReadNumber(text, to.mutable_data<int64_t>()[row]);
      case DType::kFloat:
        return ReadNumber(text, to.mutable_data<float>()[row]);
      case DType::kDouble:
        return ReadNumber(text, to.mutable_data<double>()[row]);
      default:
        throw InvalidArgument("a ", what_, " of type ", DTypeName(to.dtype()), " cannot be read from a file");
    }
  }

 private:
  std::string_view ColumnOf(std::string_view line) const {
    std::string_view rest = line;
    for (int64_t column = 0; column < index_; ++column) {
      const size_t end = rest.find(delimiter_);
      Require(end != std::string_view::npos, "the line '", line, "' has ", column + 1, " columns, the ", what_,
              " would be column ", index_, ", counted from 0");
      rest.remove_prefix(end + 1);
    }
    return rest.substr(0, rest.find(delimiter_));
  }

  template <class T>
  void ReadNumber(std::string_view text, T& number) const {
    const size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const char* const first = text.data() + begin;
    const char* const last = text.data() + text.find_last_not_of(' ') + 1;  // npos + 1 is 0
    const auto result = std::from_chars(first, std::max(first, last), number);
    Require(result.ec == std::errc() && result.ptr == last, "'", text, "' is no ", what_, " of the table's type");
  }

  const char* const what_;
  const int64_t index_;
  const char delimiter_;
};

char DelimiterOf(const Node& node) {
  const std::string& delimiter = GetAttr<std::string>(node.attrs, "delimiter");
  Require(delimiter.size() == 1, "the delimiter must be one character, not '", delimiter, "'");
  return delimiter[0];
}

class InitializeFromTextFileKernel : public TableKernel {
 public:
  explicit InitializeFromTextFileKernel(const Node& node)
      : TableKernel(node),
        key_("key", GetAttr<int64_t>(node.attrs, "key_index"), DelimiterOf(node)),
        value_("value", GetAttr<int64_t>(node.attrs, "value_index"), DelimiterOf(node)),
        offset_(GetAttr<int64_t>(node.attrs, "offset")),
        vocab_size_(GetAttr<int64_t>(node.attrs, "vocab_size")) {
    Require(vocab_size_ != 0, "vocab_size must be positive, or -1 for all lines");
  }

  void Run(KernelContext& context) override {
    const auto table = TableIn(context);
    Require(!table->is_mutable(), "only a table that is filled once is initialised");
    const Tensor& filename = context.input(1);
    Require(filename.rank() == 0, "the filename must be a scalar, not of shape ", Printed(filename.shape()));
    const std::string& path = filename.data<std::string>()[0];
    Require(!path.empty(), "the filename is empty");
    key_.RequireType(table->key_type(), true);
    value_.RequireType(table->value_type(), false);
    std::vector<std::string> lines = SplitLines(Files().Read(path));
    if (table->Entries() == nullptr) Fill(*table, std::move(lines), path);
  }

 private:
  // Lines before a bad one are in the table when it fails.
  void Fill(LookupTable& table, std::vector<std::string> lines, const std::string& path) const {
    if (lines.empty()) throw OutOfRange("the file ", path, " is empty");
    const auto there = static_cast<int64_t>(lines.size());
    if (vocab_size_ > 0 && vocab_size_ < there) lines.resize(static_cast<size_t>(vocab_size_));
    Tensor keys = Allocate(table.key_type(), Shape{static_cast<int64_t>(lines.size())});
    Tensor values = Allocate(table.value_type(), keys.shape());
    int64_t read = 0;
    std::optional<Error> failure;
    try {
      for (const std::string& line : lines) {
        Require(!line.empty(), "line ", read, " of ", path, " is empty");
        key_.Read(line, read + offset_, keys, read);
        value_.Read(line, read + offset_, values, read);
        ++read;
      }
      Require(vocab_size_ <= there, "vocab_size is ", vocab_size_, ", but ", path, " has ", there, " lines");
    } catch (const Error& error) {
      failure = error;
    }
    table.Initialize(keys.Rows(0, read), values.Rows(0, read), !failure.has_value());
    if (failure) throw Error(*failure);
  }

  const Field key_, value_;
  const int64_t offset_;
  const int64_t vocab_size_;
};

constexpr KernelRow kRows[] = {
    {"InitializeTableFromTextFile", Make<InitializeFromTextFileKernel>},
    {"InitializeTableFromTextFileV2", Make<InitializeFromTextFileKernel>},
};

}  // namespace

std::span<const KernelRow> DataFlowTableTextFile() { return kRows; }

}  // namespace plumb::fast::cpu
