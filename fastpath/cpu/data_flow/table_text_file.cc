// Tables filled from the lines of a file (rule L3).
#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/lookup_table.h"
#include "fastpath/cpu/lib/text_lines.h"
#include "fastpath/cpu/lib/text_number.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kWholeLine = -2, kLineNumber = -1;

// Modulo the type's range.
template <class T>
T Shifted(T number, int64_t offset) {
  return static_cast<T>(static_cast<uint64_t>(number) + static_cast<uint64_t>(offset));
}

// What one side of the pairs is made of.
class Field {
 public:
  Field(const char* what, int64_t index, char delimiter, int64_t offset)
      : what_(what), index_(index), delimiter_(delimiter), offset_(offset) {}

  void RequireType(DType type) const {
    Require(index_ != kLineNumber || type == DType::kInt64, "line numbers are int64, the table's ", what_, "s ",
            DTypeName(type));
    Require(index_ != kWholeLine || type == DType::kString || IsInteger(type), "whole lines are no ", what_,
            "s of type ", DTypeName(type));
  }

  // Reads it from a line into element `row`.
  void Read(std::string_view line, int64_t number, Tensor& to, int64_t row) const {
    if (index_ == kLineNumber) {
      to.mutable_data<int64_t>()[row] = Shifted(number, offset_);
      return;
    }
    const std::string_view text = index_ == kWholeLine ? line : ColumnOf(line);
    switch (to.dtype()) {
      case DType::kString:
        to.mutable_data<std::string>()[row].assign(text);
        return;
      case DType::kInt32:
        return ReadShifted(text, to.mutable_data<int32_t>()[row]);
      case DType::kInt64:
        return ReadExactly(text, to.mutable_data<int64_t>()[row]);
      case DType::kFloat:
        return ReadExactly(text, to.mutable_data<float>()[row]);
      case DType::kDouble:
        return ReadExactly(text, to.mutable_data<double>()[row]);
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

  // A number ends before the first zero byte.
  template <class T>
  void ReadExactly(std::string_view text, T& number) const {
    Require(ReadNumber(text.substr(0, text.find('\0')), number), "'", text, "' is no ", what_, " of the table's type");
  }
  void ReadShifted(std::string_view text, int32_t& number) const {
    ReadExactly(text, number);
    number = Shifted(number, offset_);
  }

  const char* const what_;
  const int64_t index_;
  const char delimiter_;
  const int64_t offset_;
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
        key_("key", GetAttr<int64_t>(node.attrs, "key_index"), DelimiterOf(node),
             GetAttr<int64_t>(node.attrs, "offset")),
        value_("value", GetAttr<int64_t>(node.attrs, "value_index"), DelimiterOf(node),
               GetAttr<int64_t>(node.attrs, "offset")),
        vocab_size_(GetAttr<int64_t>(node.attrs, "vocab_size")) {}

  void Run(KernelContext& context) override {
    const auto table = TableIn(context);
    Require(!table->is_mutable(), "only a table that is filled once is initialised");
    const Tensor& filename = context.input(1);
    Require(filename.rank() == 0, "the filename must be a scalar, not of shape ", Printed(filename.shape()));
    const std::string& path = filename.data<std::string>()[0];
    Require(!path.empty(), "the filename is empty");
    key_.RequireType(table->key_type());
    value_.RequireType(table->value_type());
    Fill(*table, SplitFile(path, vocab_size_), path);
  }

 private:
  // Lines before a bad one are in the table when it fails. A table that has been filled takes none, though the first
  // one must be good (L3).
  void Fill(LookupTable& table, std::vector<std::string> lines, const std::string& path) const {
    const bool is_filled = table.Entries() != nullptr;
    const int64_t wanted = is_filled ? 1 : vocab_size_;
    const auto there = static_cast<int64_t>(lines.size());
    if (wanted > 0 && wanted < there) lines.resize(static_cast<size_t>(wanted));
    Tensor keys = Allocate(table.key_type(), Shape{static_cast<int64_t>(lines.size())});
    Tensor values = Allocate(table.value_type(), keys.shape());
    int64_t read = 0;
    std::optional<Error> failure;
    try {
      for (const std::string& line : lines) {
        Require(!line.empty(), "line ", read, " of ", path, " is empty");
        key_.Read(line, read, keys, read);
        value_.Read(line, read, values, read);
        ++read;
      }
      Require(wanted <= there, "vocab_size is ", vocab_size_, ", but ", path, " has ", there, " lines");
    } catch (const Error& error) {
      failure = error;
    }
    // Another step may have filled it meanwhile: then only what is wrong with the first line counts.
    const bool has_filled =
        !is_filled && table.InitializeWithLines(keys.Rows(0, read), values.Rows(0, read), !failure.has_value());
    if (failure && (is_filled || has_filled || read == 0)) throw Error(*failure);
  }

  const Field key_, value_;
  const int64_t vocab_size_;
};

constexpr KernelRow kRows[] = {
    {"InitializeTableFromTextFile", Make<InitializeFromTextFileKernel>},
    {"InitializeTableFromTextFileV2", Make<InitializeFromTextFileKernel>},
};

}  // namespace

std::span<const KernelRow> DataFlowTableTextFile() { return kRows; }

}  // namespace plumb::fast::cpu
