#include "reference/kernel/op_context.h"
#include "reference/ops/lib/text_number.h"

namespace plumb::reference {
namespace {

using Fields = std::vector<std::string>;

// Reads the fields of a record one after the other.
class FieldReader {
 public:
  FieldReader(const std::string& record, char delimiter, bool quotes)
      : record_(record), delimiter_(delimiter), quotes_(quotes) {}

  // The first `limit` fields. What follows them is not looked at.
  Fields Read(size_t limit) {
    Fields fields;
    while (SkipLineEnds(), at_ < record_.size()) {
      fields.push_back(quotes_ && Here() == '"' ? Quoted() : Plain());
      if (fields.size() == limit) return fields;
    }
    if (!record_.empty() && record_.back() == delimiter_) fields.emplace_back();
    return fields;
  }

 private:
  char Here() const { return record_[at_]; }
  static bool IsLineEnd(char c) { return c == '\n' || c == '\r'; }
  void SkipLineEnds() {
    while (at_ < record_.size() && IsLineEnd(Here())) ++at_;
  }

  std::string Plain() {
    std::string field;
    for (; at_ < record_.size() && Here() != delimiter_; ++at_) {
      Require(!IsLineEnd(Here()) && (!quotes_ || Here() != '"'), "a field without quotes around it has a quote or a ",
              "line end inside, at byte ", at_, " of the record");
      field += Here();
    }
    ++at_;
    return field;
  }

  // Two quotes are one, unless a delimiter follows the first.
  std::string Quoted() {
    std::string field;
    for (++at_;; ++at_) {
      Require(at_ < record_.size(), "a quoted field has no end");
      if (Here() != '"') {
        field += Here();
        continue;
      }
      ++at_;
      if (at_ >= record_.size() || Here() == delimiter_) break;
      Require(Here() == '"' && at_ + 1 < record_.size(),
              "a quote inside of a quoted field is written twice, unlike at ", "byte ", at_ - 1, " of the record");
      field += '"';
    }
    ++at_;
    return field;
  }

  const std::string& record_;
  const char delimiter_;
  const bool quotes_;
  size_t at_ = 0;
};

void CheckCsv(const Node& node) {
  const auto& columns = GetAttr<std::vector<int64_t>>(node.attrs, "select_cols");
  Require(GetAttr<std::string>(node.attrs, "field_delim").size() == 1, "field_delim must be one character");
  Require(columns.empty() || columns.size() == node.output_types.size(), "select_cols names ", columns.size(),
          " fields for ", node.output_types.size(), " outputs");
  for (size_t i = 0; i < columns.size(); ++i) {
    Require(columns[i] >= 0 && (i == 0 || columns[i] > columns[i - 1]), "select_cols must ascend from 0 on, and has ",
            columns[i]);
  }
}

// The text of a field becomes element i of the column; what is empty is the default, or missing.
void Put(const std::string& text, const std::string& missing, const Tensor& standard, int64_t i, Tensor& column) {
  if (text.empty() || text == missing) {
    Require(standard.elements() == 1, "a required field is missing in record ", i);
    VisitType(column.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      column.mutable_data<T>()[i] = standard.data<T>()[0];
    });
  } else if (column.dtype() == DType::kString) {
    column.mutable_data<std::string>()[i] = text;
  } else {
    Require(ReadNumber(text, i, column), "'", text, "' in record ", i, " is no ", DTypeName(column.dtype()));
  }
}

void DecodeCsv(OpContext& c) {
  const Tensor& records = c.tensor(0);
  const auto& selected = c.attr<std::vector<int64_t>>("select_cols");
  const auto& missing = c.attr<std::string>("na_value");
  std::vector<Tensor> columns;
  for (int f = 0; f + 1 < c.num_inputs(); ++f) {
    const Tensor& standard = c.tensor(f + 1);
    Require(standard.rank() <= 1 && standard.elements() < 2, "the default of field ", f, " must be one value or none, ",
            "not of shape ", standard.shape().ToString());
    columns.emplace_back(c.output_type(f), records.shape());
  }
  for (int64_t i = 0; i < records.elements(); ++i) {
    const std::string& record = records.data<std::string>()[i];
    FieldReader reader(record, c.attr<std::string>("field_delim")[0], c.attr<bool>("use_quote_delim"));
    const Fields fields = reader.Read(selected.empty() ? record.size() + 2 : static_cast<size_t>(selected.back()) + 1);
    Require(!selected.empty() || fields.size() == columns.size(), "record ", i, " has ", fields.size(),
            " fields instead of ", columns.size());
    for (size_t f = 0; f < columns.size(); ++f) {
      const size_t place = selected.empty() ? f : static_cast<size_t>(selected[f]);
      Require(place < fields.size(), "record ", i, " has no field ", place, ", but ", fields.size());
      Put(fields[place], missing, c.tensor(static_cast<int>(f) + 1), i, columns[f]);
    }
  }
  for (size_t f = 0; f < columns.size(); ++f) c.Output(static_cast<int>(f), std::move(columns[f]));
}

constexpr KernelRow kRows[] = {
    {"DecodeCSV", DecodeCsv, CheckCsv},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ParsingCsv() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
