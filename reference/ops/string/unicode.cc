#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/string/unicode_text.h"

namespace plumb::reference {
namespace {

// What happens to what is no character.
struct ErrorPolicy {
  explicit ErrorPolicy(const Node& node)
      : strict(GetAttr<std::string>(node.attrs, "errors") == "strict"),
        ignore(GetAttr<std::string>(node.attrs, "errors") == "ignore"),
        replacement(GetAttr<int64_t>(node.attrs, "replacement_char")) {
    Require(replacement >= 0 && replacement <= kLargestCodePoint, "replacement_char must be a code point, not ",
            replacement);
  }
  bool strict, ignore;
  int64_t replacement;
};

InputEncoding EncodingOf(const Node& node) { return InputEncoding(GetAttr<std::string>(node.attrs, "input_encoding")); }

bool ReplacesControls(const Node& node) { return GetAttr<bool>(node.attrs, "replace_control_characters"); }

bool IsControl(const Character& c) { return c.code_point < 0x20; }

void Decode(OpContext& c) {
  const ErrorPolicy policy(c.node);
  const InputEncoding encoding = EncodingOf(c.node);
  std::vector<int64_t> splits = {0};
  std::vector<int64_t> starts;
  std::vector<int32_t> code_points;
  for (const std::string& text : c.tensor(0).data<std::string>()) {
    int64_t at = 0;
    for (const Character& character : Characters(text, encoding)) {
      const int64_t start = at;
      at += character.bytes;
      Require(!character.malformed || !policy.strict, "malformed bytes at ", start, " of string ", splits.size() - 1);
      const bool replaced = character.malformed || (ReplacesControls(c.node) && IsControl(character));
      if (replaced && policy.ignore) continue;
      code_points.push_back(replaced ? static_cast<int32_t>(policy.replacement) : character.code_point);
      starts.push_back(start);
    }
    splits.push_back(std::ssize(code_points));
  }
  auto rows = MakeArray<Integer>(c.output_type(0), {std::ssize(splits)});
  for (int64_t i = 0; i < std::ssize(splits); ++i) rows[i] = splits[i];
  c.Output(0, Store(rows));
  c.Output(1, MakeTensor<int32_t>({std::ssize(code_points)}, std::span<const int32_t>(code_points)));
  if (c.outputs.size() > 2) {
    c.Output(2, MakeTensor<int64_t>({std::ssize(starts)}, std::span<const int64_t>(starts)));
  }
}

Encoding OutputEncoding(const Node& node) { return *FindEncoding(GetAttr<std::string>(node.attrs, "output_encoding")); }

// A control character that is to be replaced counts as malformed here, also where errors fail.
void Transcode(OpContext& c) {
  const ErrorPolicy policy(c.node);
  const InputEncoding from = EncodingOf(c.node);
  const Encoding to = OutputEncoding(c.node);
  const Tensor& input = c.tensor(0);
  Tensor transcoded(DType::kString, input.shape());
  for (int64_t i = 0; i < input.elements(); ++i) {
    std::vector<int32_t> code_points;
    for (const Character& character : Characters(input.data<std::string>()[i], from)) {
      const bool replaced = character.malformed || (ReplacesControls(c.node) && IsControl(character));
      Require(!replaced || !policy.strict, "malformed bytes in string ", i);
      if (replaced && policy.ignore) continue;
      code_points.push_back(replaced ? static_cast<int32_t>(policy.replacement) : character.code_point);
    }
    transcoded.mutable_data<std::string>()[i] = Encoded(code_points, to);
  }
  c.Output(0, std::move(transcoded));
}

// Where rows begin and end: from 0 to the number of values, never back.
void CheckSplits(const std::vector<int64_t>& splits, int64_t values) {
  Require(!splits.empty() && splits.front() == 0, "input_splits must begin with 0");
  for (size_t i = 1; i < splits.size(); ++i) {
    Require(splits[i] >= splits[i - 1] && splits[i] <= values, "input_splits must ascend up to ", values, ", but [", i,
            "] = ", splits[i]);
  }
  Require(splits.back() == values, "input_splits must end with the number of values, ", values, ", not ",
          splits.back());
}

void Encode(OpContext& c) {
  const ErrorPolicy policy(c.node);
  const Encoding to = OutputEncoding(c.node);
  const Tensor &values = c.tensor(0), &rows = c.tensor(1);
  // The strings are counted by the first dimension of the splits; values may have any shape.
  Require(rows.rank() >= 1 && rows.dim(0) == rows.elements(),
          "input_splits must be a vector or one column, not of shape ", rows.shape().ToString());
  const std::vector<int64_t> splits = ToInt64s(rows);
  CheckSplits(splits, values.elements());
  Tensor texts(DType::kString, {std::ssize(splits) - 1});
  for (int64_t i = 0; i < texts.elements(); ++i) {
    std::vector<int32_t> code_points;
    for (int64_t at = splits[i]; at < splits[i + 1]; ++at) {
      int32_t c_at = values.data<int32_t>()[at];
      const bool in_range = c_at >= 0 && c_at <= kLargestCodePoint;
      const bool valid = in_range && !IsNoncharacter(c_at) && !IsLeadSurrogate(c_at) && !IsTrailSurrogate(c_at);
      Require(valid || !policy.strict, "input_values[", at, "] = ", c_at, " is no character");
      if (!in_range && policy.ignore) continue;
      if (!valid && !policy.ignore) c_at = static_cast<int32_t>(policy.replacement);
      code_points.push_back(c_at);
    }
    texts.mutable_data<std::string>()[i] = Encoded(code_points, to);
  }
  c.Output(0, std::move(texts));
}

void CheckDecoding(const Node& node) {
  ErrorPolicy{node};
  EncodingOf(node);
}
void CheckEncoding(const Node& node) { ErrorPolicy{node}; }

constexpr KernelRow kRows[] = {
    {"UnicodeDecode", Decode, CheckDecoding},
    {"UnicodeDecodeWithOffsets", Decode, CheckDecoding},
    {"UnicodeEncode", Encode, CheckEncoding},
    {"UnicodeTranscode", Transcode, CheckDecoding},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StringUnicode() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
