// SparseReorder: elements in row-major order.
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// Whether the elements lie within the shape, each behind the one before it.
bool IsInOrder(const IndexRows& rows, const Dims& dims) {
  for (int64_t i = 0; i < rows.count; ++i) {
    if (!Contains(dims, rows[i]) || (i > 0 && !IsBefore(rows[i - 1], rows[i], rows.rank))) return false;
  }
  return true;
}

class Reorder final : public Kernel {
 public:
  explicit Reorder(const Node& /*node*/) {}
  void Run(KernelContext& context) override {
    const Tensor indices_as_given = context.input(0);
    context.Unalias(0);
    context.Unalias(2);
    const SparseView view = SparseInput(context, 0);
    const IndexRows& rows = view.rows;
    if (IsInOrder(rows, view.dims)) {  // R31
      context.SetOutput(0, indices_as_given);
      return context.SetOutput(1, *view.values);
    }
    context.CopyGuarded(1);
    const std::vector<int64_t> order = RowMajorOrder(rows);
    int64_t* at = AllocateRows(context, 0, rows.count, rows.rank);
    for (const int64_t i : order) at = std::copy(rows[i], rows[i] + rows.rank, at);
    GatherElements(*view.values, order, context.AllocateOutput(1, view.values->dtype(), Shape({rows.count})));
  }
  bool KeepsAliases() const override { return true; }
};

constexpr KernelRow kRows[] = {
    {"SparseReorder", Make<Reorder>},
};

}  // namespace

std::span<const KernelRow> SparseReorder() { return kRows; }

}  // namespace plumb::fast::cpu
