// SparseSplit: elements are dealt to the pieces in one pass.
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class Split final : public Kernel {
 public:
  explicit Split(const Node& node) : pieces_(static_cast<int>(GetAttr<int64_t>(node.attrs, "num_split"))) {}

  void Run(KernelContext& context) override {
    const SparseView view = SparseInput(context, 1);
    const SplitSizes split = SplitSizesOf(context.input(0), view.dims.ToShape(), pieces_);
    const int64_t least = split.least, border = split.longer * (least + 1);
    std::vector<std::vector<int64_t>> parts(static_cast<size_t>(pieces_));
    for (int64_t i = 0; i < view.rows.count; ++i) {
      const int64_t at = view.rows[i][split.axis];
      Require(at >= 0 && at < view.dims[split.axis], "element ", i, " lies at ", at, " of ", view.dims[split.axis],
              " along the axis");
      const int64_t piece = at < border ? at / (least + 1) : split.longer + (at - border) / least;
      parts[static_cast<size_t>(piece)].push_back(i);
    }
    for (int piece = 0; piece < pieces_; ++piece) {
      Put(context, piece, view, parts[static_cast<size_t>(piece)], split);
    }
  }

 private:
  void Put(KernelContext& context, int piece, const SparseView& view, const std::vector<int64_t>& from,
           const SplitSizes& split) const {
    const auto count = static_cast<int64_t>(from.size());
    int64_t* at = AllocateRows(context, piece, count, view.rows.rank);
    for (const int64_t i : from) {
      std::copy(view.rows[i], view.rows[i] + view.rows.rank, at);
      at[split.axis] -= split.Begin(piece);
      at += view.rows.rank;
    }
    GatherElements(*view.values, from, context.AllocateOutput(pieces_ + piece, view.values->dtype(), Shape({count})));
    Dims dims = view.dims;
    dims[split.axis] = split.Size(piece);
    SetDims(context, 2 * pieces_ + piece, dims);
  }

  const int pieces_;
};

constexpr KernelRow kRows[] = {
    {"SparseSplit", Make<Split>},
};

}  // namespace

std::span<const KernelRow> SparseSplit() { return kRows; }

}  // namespace plumb::fast::cpu
