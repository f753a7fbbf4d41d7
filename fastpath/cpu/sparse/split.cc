// SparseSplit: elements are dealt to the pieces in one pass.
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class Split final : public Kernel {
 public:
  explicit Split(const Node& node) : pieces_(static_cast<int>(GetAttr<int64_t>(node.attrs, "num_split"))) {}

  void Run(KernelContext& context) override {
    Require(context.input(0).rank() == 0, "split_dim must be a scalar, not of shape ",
            context.input(0).shape().ToString());
    const SparseView view = SparseInput(context, 1);
    CheckBounds(view.rows, view.dims);
    const Shape shape = view.dims.ToShape();
    const int axis = NormalizeAxis(IntAt(context.input(0), 0), shape.rank(), "split_dim");
    const int64_t size = shape[axis];
    Require(pieces_ <= size, "num_split is ", pieces_, ", but the size along the axis is ", size);
    // The first `longer` pieces have one more than the others.
    const int64_t least = size / pieces_, longer = size % pieces_;
    std::vector<std::vector<int64_t>> parts(static_cast<size_t>(pieces_));
    for (int64_t i = 0; i < view.rows.count; ++i) {
      const int64_t at = view.rows[i][axis], border = longer * (least + 1);
      parts[static_cast<size_t>(at < border ? at / (least + 1) : longer + (at - border) / least)].push_back(i);
    }
    for (int piece = 0; piece < pieces_; ++piece) {
      const int64_t offset = piece * least + std::min<int64_t>(piece, longer);
      Put(context, piece, view, parts[static_cast<size_t>(piece)], axis, offset, least + (piece < longer ? 1 : 0));
    }
  }

 private:
  void Put(KernelContext& context, int piece, const SparseView& view, const std::vector<int64_t>& from, int axis,
           int64_t offset, int64_t size) const {
    const auto count = static_cast<int64_t>(from.size());
    int64_t* at = AllocateRows(context, piece, count, view.rows.rank);
    for (const int64_t i : from) {
      std::copy(view.rows[i], view.rows[i] + view.rows.rank, at);
      at[axis] -= offset;
      at += view.rows.rank;
    }
    GatherElements(*view.values, from, context.AllocateOutput(pieces_ + piece, view.values->dtype(), Shape({count})));
    Dims dims = view.dims;
    dims[axis] = size;
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
