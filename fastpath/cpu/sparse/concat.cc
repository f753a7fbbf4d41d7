// SparseConcat: all coordinates put down one part after the other, then ordered if they must be.
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class Concat final : public Kernel {
 public:
  explicit Concat(const Node& node)
      : parts_(static_cast<int>(GetAttr<int64_t>(node.attrs, "N"))),
        axis_(GetAttr<int64_t>(node.attrs, "concat_dim")),
        type_(OutputType(node, 1)) {}

  void Run(KernelContext& context) override {
    Dims joined = PartOf(context, 0).dims;
    const int axis = NormalizeAxis(axis_, joined.rank, "concat_dim");
    joined[axis] = 0;
    std::vector<int64_t> at;
    int64_t count = 0;
    for (int i = 0; i < parts_; ++i) {
      const SparseView part = PartOf(context, i);
      const Shape shape = part.dims.ToShape();
      CheckFits(part.dims, joined, axis, i);
      at.insert(at.end(), part.rows.at, part.rows.at + part.rows.count * joined.rank);
      for (int64_t row = count; row < count + part.rows.count; ++row) {
        int64_t& moved = at[static_cast<size_t>(row * joined.rank + axis)];
        moved = static_cast<int64_t>(static_cast<uint64_t>(moved) + static_cast<uint64_t>(joined[axis]));
      }
      count += part.rows.count;
      Require(!__builtin_add_overflow(joined[axis], shape[axis], &joined[axis]), "the joined size is too large");
    }
    const Shape checked = joined.ToShape();
    const IndexRows rows{count, checked.rank(), at.data()};
    const std::vector<int64_t> order = RowMajorOrder(rows);
    int64_t* to = AllocateRows(context, 0, count, joined.rank);
    for (const int64_t i : order) to = std::copy(rows[i], rows[i] + rows.rank, to);
    GatherElements(Joined(context, count), order, context.AllocateOutput(1, type_, Shape({count})));
    SetDims(context, 2, joined);
  }

 private:
  // Its three tensors stand as many inputs apart as there are parts.
  SparseView PartOf(const KernelContext& context, int i) const {
    const Tensor &values = context.input(parts_ + i), &shape = context.input(2 * parts_ + i);
    SparseView part{IndexRowsOf(context.input(i)), &values, {}};
    Require(
        values.rank() == 1 && values.dim(0) == part.rows.count && shape.rank() == 1 && shape.dim(0) == part.rows.rank,
        "part ", i, " has indices of shape ", context.input(i).shape().ToString(), ", values of shape ",
        values.shape().ToString(), " and a shape of shape ", shape.shape().ToString());
    part.dims = DimsOf(shape);
    return part;
  }

  static void CheckFits(const Dims& part, const Dims& joined, int axis, int i) {
    bool fits = part.rank == joined.rank;
    for (int d = 0; fits && d < part.rank; ++d) fits = d == axis || part[d] == joined[d];
    Require(fits, "the shape ", part.ToShape().ToString(), " of part ", i, " differs beside axis ", axis);
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
