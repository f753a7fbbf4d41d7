#include <algorithm>
#include <limits>
#include <string_view>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/device/kernel.h"
#include "spec/core/memory.h"

namespace plumb::fast::cpu {
namespace {

// Rows are counted first, and then written in chunks.
class StringNGramsKernel : public Kernel {
 public:
  explicit StringNGramsKernel(const Node& node)
      : splits_type_(OutputType(node, 1)),
        separator_(GetAttr<std::string>(node.attrs, "separator")),
        left_(GetAttr<std::string>(node.attrs, "left_pad")),
        right_(GetAttr<std::string>(node.attrs, "right_pad")),
        widths_(GetAttr<std::vector<int64_t>>(node.attrs, "ngram_widths")),
        pad_width_(GetAttr<int64_t>(node.attrs, "pad_width")),
        keeps_short_(GetAttr<bool>(node.attrs, "preserve_short_sequences")) {
    const auto check = [&](int64_t number, const char* what) {
      Require(number == static_cast<int32_t>(number), what, " has 32 bits, and is not ", number);
    };
    check(pad_width_, "pad_width");
    for (const int64_t width : widths_) check(width, "a width of n-grams");
  }

  void Run(KernelContext& context) override {
    for (const int64_t width : widths_) {
      Require(width > 0, "n-grams are at least one token wide, not ", width);
    }
    const Tensor &data = context.input(0), &splits = context.input(1);
    CheckSplits(splits, data.elements());
    Tensor& row_ends = context.AllocateOutput(1, splits_type_, splits.shape());
    if (data.elements() == 0 || splits.elements() == 0) {
      context.AllocateOutput(0, DType::kString, data.shape());
      for (int64_t i = 0; i < splits.elements(); ++i) Put(row_ends, i, 0);
      return;
    }
    const std::string* tokens = data.data<std::string>().data();
    size_t longest = std::max(left_.size(), right_.size());
    for (int64_t i = 0; i < data.elements(); ++i) longest = std::max(longest, tokens[i].size());
    const int64_t rows = splits.elements() - 1;
    std::vector<int64_t> begins(static_cast<size_t>(rows) + 1, 0);
    for (int64_t i = 0; i < rows; ++i) {
      begins[i + 1] = begins[i] + CountRow(IntAt(splits, i + 1) - IntAt(splits, i), longest);
      Require(splits_type_ == DType::kInt64 || begins[i + 1] <= std::numeric_limits<int32_t>::max(),
              "int32 cannot count ", begins[i + 1], " n-grams");
    }
    for (int64_t i = 0; i <= rows; ++i) Put(row_ends, i, begins[i]);
    std::string* ngrams =
        context.AllocateOutput(0, DType::kString, Shape({begins[rows]})).mutable_data<std::string>().data();
    context.pool().ParallelFor(rows, kRowGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        WriteRow({tokens + IntAt(splits, i), static_cast<size_t>(IntAt(splits, i + 1) - IntAt(splits, i))},
                 ngrams + begins[i], begins[i + 1] - begins[i]);
      }
    });
  }

 private:
  static constexpr int64_t kRowGrain = 64;
  using Row = std::span<const std::string>;

  static void Put(Tensor& numbers, int64_t i, int64_t number) {
    if (numbers.dtype() == DType::kInt64) {
      static_cast<int64_t*>(numbers.mutable_raw())[i] = number;
    } else {
      static_cast<int32_t*>(numbers.mutable_raw())[i] = static_cast<int32_t>(number);
    }
  }

  void CheckSplits(const Tensor& splits, int64_t tokens) const {
    const int64_t count = splits.elements();
    Require(count == 0 || (IntAt(splits, 0) == 0 && IntAt(splits, count - 1) == tokens),
            "data_splits must lead from 0 to the number of tokens, ", tokens);
    for (int64_t i = 1; i < count; ++i) {
      Require(IntAt(splits, i - 1) <= IntAt(splits, i), "data_splits must not descend, as at ", i);
    }
  }

  int64_t Pads(int64_t width) const { return pad_width_ < 0 ? width - 1 : std::min(pad_width_, width - 1); }
  int64_t Count(int64_t length, int64_t width) const {
    return std::max<int64_t>(0, length + 2 * Pads(width) - width + 1);
  }

  // How many n-grams a row of `length` tokens makes; refuses more than memory holds.
  int64_t CountRow(int64_t length, size_t longest) const {
    int64_t count = 0;
    const auto add = [&](int64_t more, int64_t width) {
      constexpr double kMost = 1e15;
      const double size = (double(longest) + double(separator_.size()) + sizeof(std::string)) * double(width);
      if (more > 0) RequireMemory(more, static_cast<int64_t>(std::min(kMost, size)));
      count += more;
    };
    for (const int64_t width : widths_) add(Count(length, width), width);
    if (count > 0 || !keeps_short_ || length == 0) return count;
    Require(pad_width_ >= 0, "a row of ", length, " tokens makes no n-gram, and cannot be kept as ",
            "one with pad_width ", pad_width_);
    add(1, length + 2 * pad_width_);
    return count;
  }

  void WriteRow(Row row, std::string* ngrams, int64_t count) const {
    const std::string* const first = ngrams;
    const auto length = static_cast<int64_t>(row.size());
    for (const int64_t width : widths_) {
      const int64_t pads = Pads(width), windows = Count(length, width);
      for (int64_t i = 0; i < windows; ++i) WriteNGram(row, i - pads, width, *ngrams++);
    }
    if (count > ngrams - first) WriteNGram(row, -pad_width_, length + 2 * pad_width_, *ngrams);
  }

  // The `width` tokens from `begin` on, with pads where the row has none.
  void WriteNGram(Row row, int64_t begin, int64_t width, std::string& ngram) const {
    const auto token = [&](int64_t i) -> const std::string& {
      return i < 0 ? left_ : i < std::ssize(row) ? row[static_cast<size_t>(i)] : right_;
    };
    size_t bytes = separator_.size() * static_cast<size_t>(width - 1);
    for (int64_t i = begin; i < begin + width; ++i) bytes += token(i).size();
    ngram.reserve(bytes);
    ngram = token(begin);
    for (int64_t i = begin + 1; i < begin + width; ++i) ngram.append(separator_).append(token(i));
  }

  const DType splits_type_;
  const std::string separator_, left_, right_;
  const std::vector<int64_t> widths_;
  const int64_t pad_width_;
  const bool keeps_short_;
};

constexpr KernelRow kRows[] = {
    {"StringNGrams", Make<StringNGramsKernel>},
};

}  // namespace

std::span<const KernelRow> StringNgrams() { return kRows; }

}  // namespace plumb::fast::cpu
