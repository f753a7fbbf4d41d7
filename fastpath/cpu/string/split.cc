#include <string_view>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

constexpr std::string_view kSpace = " \t\n\v\f\r";

// What a split gives: the pieces of all strings, and where those of each string end.
class PieceList {
 public:
  void Add(std::string_view piece) { pieces_.push_back(piece); }
  void EndRow() { ends_.push_back(pieces_.size()); }

  // As a sparse matrix with a row for each string.
  void Output(KernelContext& context) const {
    const auto count = static_cast<int64_t>(pieces_.size());
    int64_t* place = context.AllocateOutput(0, DType::kInt64, Shape{count, 2}).mutable_data<int64_t>().data();
    const auto values = context.AllocateOutput(1, DType::kString, Shape{count}).mutable_data<std::string>();
    for (int64_t i = 0; i < count; ++i) values[i].assign(pieces_[i]);
    size_t begin = 0, width = 0;
    for (size_t row = 0; row < ends_.size(); begin = ends_[row++]) {
      width = std::max(width, ends_[row] - begin);
      for (size_t i = begin; i < ends_[row]; ++i) {
        *place++ = static_cast<int64_t>(row);
        *place++ = static_cast<int64_t>(i - begin);
      }
    }
    const auto shape = context.AllocateOutput(2, DType::kInt64, Shape{2}).mutable_data<int64_t>();
    shape[0] = static_cast<int64_t>(ends_.size());
    shape[1] = static_cast<int64_t>(width);
  }

 private:
  std::vector<std::string_view> pieces_;
  std::vector<size_t> ends_;
};

// Splits every string of input 0 as `Cut` says, by the separator in input 1.
class SplitKernel : public Kernel {
 public:
  explicit SplitKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor &input = context.input(0), &separator = context.input(1);
    Require(input.rank() == 1, "a vector of strings is split, not the shape ", Printed(input.shape()));
    Require(separator.rank() == 0, "the separator must be a scalar, not of shape ", Printed(separator.shape()));
    PieceList pieces;
    for (const std::string& text : input.data<std::string>()) {
      Cut(text, separator.data<std::string>()[0], pieces);
      pieces.EndRow();
    }
    pieces.Output(context);
  }

 protected:
  virtual void Cut(std::string_view text, std::string_view separator, PieceList& pieces) const = 0;
};

class StringSplitKernel : public SplitKernel {
 public:
  explicit StringSplitKernel(const Node& node)
      : SplitKernel(node), skip_empty_(GetAttr<bool>(node.attrs, "skip_empty")) {}

 protected:
  void Cut(std::string_view text, std::string_view delimiters, PieceList& pieces) const override {
    if (text.empty()) return;
    if (delimiters.empty()) {
      for (size_t i = 0; i < text.size(); ++i) pieces.Add(text.substr(i, 1));
      return;
    }
    for (size_t begin = 0; begin <= text.size();) {
      const size_t end = std::min(text.find_first_of(delimiters, begin), text.size());
      if (end > begin || !skip_empty_) pieces.Add(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

 private:
  const bool skip_empty_;
};

class StringSplitV2Kernel : public SplitKernel {
 public:
  explicit StringSplitV2Kernel(const Node& node) : SplitKernel(node), max_cuts_(Int32Attr(node, "maxsplit")) {}

 protected:
  void Cut(std::string_view text, std::string_view separator, PieceList& pieces) const override {
    if (max_cuts_ == 0) return pieces.Add(text);
    int64_t cuts_left = max_cuts_ < 0 ? std::numeric_limits<int64_t>::max() : max_cuts_;
    if (separator.empty()) return CutAtSpace(text, cuts_left, pieces);
    for (size_t end; cuts_left-- > 0 && (end = text.find(separator)) != std::string_view::npos;) {
      pieces.Add(text.substr(0, end));
      text.remove_prefix(end + separator.size());
    }
    pieces.Add(text);
  }

 private:
  // What is left behind the last cut is a piece, even if it is empty.
  static void CutAtSpace(std::string_view text, int64_t cuts_left, PieceList& pieces) {
    const auto trim = [&] { text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size())); };
    for (trim(); !text.empty(); trim()) {
      if (cuts_left-- == 0) break;
      const size_t end = std::min(text.find_first_of(kSpace), text.size());
      pieces.Add(text.substr(0, end));
      text.remove_prefix(end);
    }
    if (cuts_left <= 0) pieces.Add(text);
  }

  const int64_t max_cuts_;
};

constexpr KernelRow kRows[] = {
    {"StringSplit", Make<StringSplitKernel>},
    {"StringSplitV2", Make<StringSplitV2Kernel>},
};

}  // namespace

std::span<const KernelRow> StringSplit() { return kRows; }

}  // namespace plumb::fast::cpu
