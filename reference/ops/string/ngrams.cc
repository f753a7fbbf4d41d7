#include <algorithm>
#include <limits>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "spec/core/memory.h"

namespace plumb::reference {
namespace {

struct Settings {
  explicit Settings(const Node& node)
      : separator(GetAttr<std::string>(node.attrs, "separator")),
        left(GetAttr<std::string>(node.attrs, "left_pad")),
        right(GetAttr<std::string>(node.attrs, "right_pad")),
        widths(GetAttr<std::vector<int64_t>>(node.attrs, "ngram_widths")),
        pad_width(GetAttr<int64_t>(node.attrs, "pad_width")),
        keeps_short(GetAttr<bool>(node.attrs, "preserve_short_sequences")) {}

  // Pads on either side of a row for n-grams of this width.
  int64_t Pads(int64_t width) const { return pad_width < 0 ? width - 1 : std::min(pad_width, width - 1); }
  // How many n-grams of this width a row of `length` tokens has.
  int64_t Count(int64_t length, int64_t width) const {
    return std::max<int64_t>(0, length + 2 * Pads(width) - width + 1);
  }

  std::string separator, left, right;
  std::vector<int64_t> widths;
  int64_t pad_width;
  bool keeps_short;
};

void CheckNGrams(const Node& node) {
  const Settings settings(node);
  const auto fits = [](int64_t number) { return number >= INT32_MIN && number <= INT32_MAX; };
  Require(fits(settings.pad_width), "pad_width must be a number of 32 bits, not ", settings.pad_width);
  for (const int64_t width : settings.widths) {
    Require(fits(width), "ngram_widths must be numbers of 32 bits, not ", width);
  }
}

void CheckSplits(const std::vector<int64_t>& splits, int64_t tokens) {
  if (splits.empty()) return;
  Require(splits.front() == 0, "data_splits must begin with 0, not with ", splits.front());
  for (size_t i = 1; i < splits.size(); ++i) {
    Require(splits[i] >= splits[i - 1] && splits[i] <= tokens, "data_splits must ascend up to ", tokens, ", but [", i,
            "] = ", splits[i]);
  }
  Require(splits.back() == tokens, "data_splits must end with the number of tokens, ", tokens, ", not ", splits.back());
}

using Texts = std::vector<std::string>;

// The n-grams of one width of a row: every window of the row with pads on both sides.
void AddNGrams(const Settings& settings, const Texts& row, int64_t width, int64_t pads, Texts& ngrams) {
  Texts padded(static_cast<size_t>(pads), settings.left);
  padded.insert(padded.end(), row.begin(), row.end());
  padded.insert(padded.end(), static_cast<size_t>(pads), settings.right);
  for (int64_t begin = 0; begin + width <= std::ssize(padded); ++begin) {
    std::string ngram = padded[begin];
    for (int64_t i = begin + 1; i < begin + width; ++i) ngram += settings.separator + padded[i];
    ngrams.push_back(std::move(ngram));
  }
}

// Refuses, before it is made, what would not fit into memory.
void CheckSize(const Settings& settings, const Texts& row, int64_t width, int64_t count) {
  size_t longest = std::max(settings.left.size(), settings.right.size());
  for (const std::string& token : row) longest = std::max(longest, token.size());
  const double bytes = double(longest + settings.separator.size() + sizeof(std::string)) * double(width);
  if (count > 0) RequireMemory(count, static_cast<int64_t>(std::min(bytes, 1e15)));
}

void AddRow(const Settings& settings, const Texts& row, Texts& ngrams) {
  const size_t before = ngrams.size();
  const int64_t length = std::ssize(row);
  for (const int64_t width : settings.widths) {
    const int64_t count = settings.Count(length, width);
    CheckSize(settings, row, width, count);
    if (count > 0) AddNGrams(settings, row, width, settings.Pads(width), ngrams);
  }
  if (!settings.keeps_short || row.empty() || ngrams.size() != before) return;
  Require(settings.pad_width >= 0, "pad_width must not be negative where short rows are kept and no width makes an ",
          "n-gram of ", length, " tokens");
  const int64_t width = length + 2 * settings.pad_width;
  CheckSize(settings, row, width, 1);
  AddNGrams(settings, row, width, settings.pad_width, ngrams);
}

void StringNGrams(OpContext& c) {
  const Settings settings(c.node);
  for (const int64_t width : settings.widths) Require(width > 0, "ngram_widths must be positive, not ", width);
  const Tensor &data = c.tensor(0), &rows = c.tensor(1);
  const std::vector<int64_t> splits = ToInt64s(rows);
  CheckSplits(splits, data.elements());
  if (data.elements() == 0 || splits.empty()) {
    c.Output(0, Tensor(DType::kString, data.shape()));  // without rows: as many empty strings as there are tokens
    c.Output(1, Zeros(c.output_type(1), rows.shape()));
    return;
  }
  const auto tokens = data.data<std::string>();
  Texts ngrams;
  auto results = MakeArray<Integer>(c.output_type(1), rows.shape());
  results[0] = 0;
  for (size_t i = 1; i < splits.size(); ++i) {
    AddRow(settings, Texts(tokens.begin() + splits[i - 1], tokens.begin() + splits[i]), ngrams);
    Require(c.output_type(1) == DType::kInt64 || std::ssize(ngrams) <= INT32_MAX, "more n-grams than int32 can count");
    results[static_cast<int64_t>(i)] = std::ssize(ngrams);
  }
  c.Output(0, MakeTensor<std::string>({std::ssize(ngrams)}, std::span<const std::string>(ngrams)));
  c.Output(1, Store(results));
}

constexpr KernelRow kRows[] = {
    {"StringNGrams", StringNGrams, CheckNGrams},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StringNgrams() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
