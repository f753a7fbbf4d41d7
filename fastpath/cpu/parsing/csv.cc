#include <string_view>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/text_number.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class DecodeCsvKernel : public Kernel {
 public:
  explicit DecodeCsvKernel(const Node& node)
      : quotes_(GetAttr<bool>(node.attrs, "use_quote_delim")),
        missing_(GetAttr<std::string>(node.attrs, "na_value")),
        selected_(GetAttr<std::vector<int64_t>>(node.attrs, "select_cols")) {
    const auto& delimiter = GetAttr<std::string>(node.attrs, "field_delim");
    Require(delimiter.size() == 1, "field_delim must be one character");
    delimiter_ = delimiter[0];
    for (size_t f = 0; f < node.output_types.size(); ++f) types_.push_back(OutputType(node, static_cast<int>(f)));
    Require(selected_.empty() || selected_.size() == types_.size(), "select_cols must name ", types_.size(),
            " fields, not ", selected_.size());
    for (size_t i = 0; i < selected_.size(); ++i) {
      Require(selected_[i] >= 0 && (i == 0 || selected_[i - 1] < selected_[i]), "select_cols must ascend from 0 on");
    }
  }

  void Run(KernelContext& context) override {
    constexpr int64_t kGrain = 128;
    const Tensor& records = context.input(0);
    std::vector<Tensor> columns;
    for (size_t f = 0; f < types_.size(); ++f) {
      const Tensor& standard = context.input(static_cast<int>(f) + 1);
      Require(standard.rank() <= 1 && standard.elements() < 2, "the default of field ", f,
              " is one value or none, not of shape ", Printed(standard.shape()));
      columns.push_back(Allocate(types_[f], records.shape()));
    }
    const std::string* texts = records.data<std::string>().data();
    context.pool().ParallelFor(records.elements(), kGrain, [&](int64_t begin, int64_t end) {
      std::string field;
      for (int64_t i = begin; i < end; ++i) ReadRecord(context, texts[i], i, field, columns);
    });
    for (size_t f = 0; f < columns.size(); ++f) context.SetOutput(static_cast<int>(f), std::move(columns[f]));
  }

 private:
  static bool EndsLine(char c) { return c == '\n' || c == '\r'; }

  void ReadRecord(const KernelContext& context, std::string_view record, int64_t i, std::string& field,
                  std::vector<Tensor>& columns) const {
    size_t at = 0, wanted = 0;  // the next column to fill
    int64_t place = 0;
    const auto take = [&] {
      if (selected_.empty() || selected_[wanted] == place) {
        Require(wanted < types_.size(), "record ", i, " has more than ", types_.size(), " fields");
        Put(field, context.input(static_cast<int>(wanted) + 1), i, columns[wanted]);
        ++wanted;
      }
      ++place;
    };
    while (at < record.size()) {
      if (EndsLine(record[at])) {
        ++at;
        continue;
      }
      at = quotes_ && record[at] == '"' ? ReadQuoted(record, at + 1, i, field) : ReadPlain(record, at, i, field);
      take();
      if (!selected_.empty() && wanted == selected_.size()) return;
    }
    if (!record.empty() && record.back() == delimiter_) {
      field.clear();
      take();
    }
    Require(wanted == types_.size(), "record ", i, " has ", place, " fields, and ", types_.size(), " are wanted");
  }

  // Both return where the next field begins.
  size_t ReadPlain(std::string_view record, size_t at, int64_t i, std::string& field) const {
    const size_t end = std::min(record.find(delimiter_, at), record.size());
    field.assign(record.substr(at, end - at));
    Require(field.find_first_of(quotes_ ? "\"\n\r" : "\n\r") == std::string::npos, "record ", i,
            " has a quote or a line end in a field without quotes around it");
    return end + 1;
  }
  size_t ReadQuoted(std::string_view record, size_t at, int64_t i, std::string& field) const {
    field.clear();
    while (true) {
      const size_t quote = record.find('"', at);
      Require(quote != std::string_view::npos, "record ", i, " has a quoted field without an end");
      field.append(record.substr(at, quote - at));
      if (quote + 1 == record.size() || record[quote + 1] == delimiter_) return quote + 2;
      Require(record[quote + 1] == '"' && quote + 2 < record.size(), "record ", i,
              " has a quote inside of a quoted field that is not written twice");
      field.push_back('"');
      at = quote + 2;
    }
  }

  void Put(const std::string& field, const Tensor& standard, int64_t i, Tensor& column) const {
    const bool is_missing = field.empty() || field == missing_;
    Require(!is_missing || standard.elements() == 1, "record ", i, " lacks a field that it must have");
    const auto put = [&](auto* elements) {
      using T = std::remove_pointer_t<decltype(elements)>;
      if (is_missing) {
        elements[i] = standard.data<T>()[0];
      } else if constexpr (std::is_same_v<T, std::string>) {
        elements[i] = field;
      } else {
        Require(ReadNumber(field, elements[i]), "'", field, "' in record ", i, " is no ", DTypeName(column.dtype()));
      }
    };
    switch (column.dtype()) {
      case DType::kString:
        return put(static_cast<std::string*>(column.mutable_raw()));
      case DType::kFloat:
        return put(static_cast<float*>(column.mutable_raw()));
      case DType::kDouble:
        return put(static_cast<double*>(column.mutable_raw()));
      case DType::kInt32:
        return put(static_cast<int32_t*>(column.mutable_raw()));
      case DType::kInt64:
        return put(static_cast<int64_t*>(column.mutable_raw()));
      default:
        throw InvalidArgument("no column of ", DTypeName(column.dtype()), " is read");
    }
  }

  const bool quotes_;
  const std::string missing_;
  const std::vector<int64_t> selected_;
  char delimiter_ = ',';
  std::vector<DType> types_;
};

constexpr KernelRow kRows[] = {
    {"DecodeCSV", Make<DecodeCsvKernel>},
};

}  // namespace

std::span<const KernelRow> ParsingCsv() { return kRows; }

}  // namespace plumb::fast::cpu
