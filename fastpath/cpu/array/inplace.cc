// InplaceUpdate, InplaceAdd and InplaceSub: rows of a tensor changed by index.
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/owned_copy.h"
#include "fastpath/cpu/lib/state/scatter_rows.h"
#include "fastpath/device/kernel.h"
#include "fastpath/formulas/array/inplace_rows.h"

namespace plumb::fast::cpu {
namespace {

class Inplace final : public Kernel {
 public:
  Inplace(const Node&, Scatter scatter) : scatter_(scatter) {}
  void Run(KernelContext& context) override {
    const Tensor& updates = context.input(2);
    const std::vector<int64_t> rows = Rows(context.input(0).shape(), context.input(1), updates.shape());
    Tensor& output = OwnedCopy(context, 0, 0);
    ScatterRows(context.pool(), scatter_, output, {rows, ElementsIn(updates.shape(), 1, updates.rank())}, updates,
                /*is_own=*/false);
  }

 private:
  // Indices count modulo the rows; where there are none, none changes.
  static std::vector<int64_t> Rows(const Shape& x, const Tensor& indices, const Shape& v) {
    RequireRowsOf(x, indices.shape(), v);
    std::vector<int64_t> rows(static_cast<size_t>(x[0] > 0 ? v[0] : 0));
    for (size_t i = 0; i < rows.size(); ++i) {
      const int64_t index = IntAt(indices, static_cast<int64_t>(i));
      rows[i] = (index % x[0] + x[0]) % x[0];
    }
    return rows;
  }

  const Scatter scatter_;
};

constexpr KernelRow kRows[] = {
    {"InplaceUpdate", MakeWith<Inplace, Scatter::kReplace>},
    {"InplaceAdd", MakeWith<Inplace, Scatter::kAdd>},
    {"InplaceSub", MakeWith<Inplace, Scatter::kSubtract>},
};

}  // namespace

std::span<const KernelRow> ArrayInplace() { return kRows; }

}  // namespace plumb::fast::cpu
