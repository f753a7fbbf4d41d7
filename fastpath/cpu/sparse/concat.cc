// SparseConcat: all coordinates put down one part after the other, then ordered if they must be.
#include "fastpath/cpu/lib/int_vector.h"
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/device/kernel.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

class Concat final : public Kernel {
 public:
  explicit Concat(const Node& node)
      : parts_(static_cast<int>(GetAttr<int64_t>(node.attrs, "N"))),
        axis_(Int32Attr(node, "concat_dim")),
        type_(OutputType(node, 1)) {}

  void Run(KernelContext& context) override {
    std::vector<SparseView> parts;
    std::vector<std::vector<int64_t>> sizes;
    int64_t count = 0;
    for (int i = 0; i < parts_; ++i) {
      parts.push_back(PartOf(context, i));
      sizes.emplace_back(parts.back().dims.size, parts.back().dims.size + parts.back().dims.rank);
      count += parts.back().rows.count;
    }
    const JoinedSizes joined = JoinedSizesOf(sizes, axis_);
    const int rank = static_cast<int>(joined.sizes.size());
    std::vector<int64_t> at;
    for (size_t i = 0; i < parts.size(); ++i) {
      const IndexRows& rows = parts[i].rows;
      const size_t first = at.size();
      at.insert(at.end(), rows.at, rows.at + rows.count * rank);
      for (int64_t row = 0; row < rows.count; ++row) {
        int64_t& moved = at[first + static_cast<size_t>(row * rank + joined.axis)];
        moved = static_cast<int64_t>(static_cast<uint64_t>(moved) + static_cast<uint64_t>(joined.offsets[i]));
      }
    }
    const IndexRows rows{count, rank, at.data()};
    const std::vector<int64_t> order = RowMajorOrder(rows);
    int64_t* to = AllocateRows(context, 0, count, rank);
    for (const int64_t i : order) to = std::copy(rows[i], rows[i] + rows.rank, to);
    GatherElements(Joined(context, count), order, context.AllocateOutput(1, type_, Shape({count})));
    SetIntVector(context, 2, DType::kInt64, joined.sizes);
  }

 private:
  // Its three tensors stand as many inputs apart as there are parts.
  SparseView PartOf(const KernelContext& context, int i) const {
    const Tensor &indices = context.input(i), &values = context.input(parts_ + i),
                 &shape = context.input(2 * parts_ + i);
    SparseSizesOf(indices.shape(), values.shape(), shape.shape());
    return {IndexRowsOf(indices), &values, DimsOf(shape)};
  }

  // All values, one part after the other.
  Tensor Joined(const KernelContext& context, int64_t count) const {
    Tensor values = Allocate(type_, Shape({count}));
    int64_t to = 0;
    for (int i = 0; i < parts_; ++i) {
      const Tensor& part = context.input(parts_ + i);
      CopyRun(type_, part.raw(), 0, values.mutable_raw(), to, part.elements());
      to += part.elements();
    }
    return values;
  }

  const int parts_;
  const int64_t axis_;
  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"SparseConcat", Make<Concat>},
};

}  // namespace

std::span<const KernelRow> SparseConcat() { return kRows; }

}  // namespace plumb::fast::cpu
