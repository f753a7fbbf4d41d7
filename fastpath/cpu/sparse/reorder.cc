// SparseReorder: elements in row-major order.
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class Reorder final : public Kernel {
 public:
  explicit Reorder(const Node& /*node*/) {}
  void Run(KernelContext& context) override {
    const SparseView view = SparseInput(context, 0);
    const IndexRows& rows = view.rows;
    const std::vector<int64_t> order = RowMajorOrder(rows);
    int64_t* at = AllocateRows(context, 0, rows.count, rows.rank);
    for (const int64_t i : order) at = std::copy(rows[i], rows[i] + rows.rank, at);
    GatherElements(*view.values, order, context.AllocateOutput(1, view.values->dtype(), Shape({rows.count})));
  }
};

constexpr KernelRow kRows[] = {
    {"SparseReorder", Make<Reorder>},
};

}  // namespace

std::span<const KernelRow> SparseReorder() { return kRows; }

}  // namespace plumb::fast::cpu
