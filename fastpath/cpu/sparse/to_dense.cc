// SparseToDense: the default everywhere, then the values at their places.
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class ToDense final : public Kernel {
 public:
  explicit ToDense(const Node& node)
      : type_(OutputType(node, 0)), validate_(GetAttr<bool>(node.attrs, "validate_indices")) {}

  void Run(KernelContext& context) override {
    const Tensor &indices = context.input(0), &values = context.input(2), &default_value = context.input(3);
    const auto [sizes, shape] = DenseSizesOf(indices.shape(), context.input(1), values.shape(), default_value.shape());
    const Dims dims(shape);
    const std::vector<int64_t> widened = Widened(indices);
    const IndexRows rows{sizes.count, sizes.rank, widened.empty() ? nullptr : widened.data()};
    Tensor& output = context.AllocateOutput(0, type_, shape);
    validate_ ? CheckOrder(rows, dims) : CheckBounds(rows, dims);
    FillWith(context.pool(), default_value.raw(), output);
    for (int64_t i = 0; i < rows.count; ++i) {
      CopyRun(type_, values.raw(), values.rank() == 0 ? 0 : i, output.mutable_raw(), PlaceIn(dims, rows[i]), 1);
    }
  }

 private:
  static std::vector<int64_t> Widened(const Tensor& indices) {
    std::vector<int64_t> at(static_cast<size_t>(indices.elements()));
    for (size_t i = 0; i < at.size(); ++i) at[i] = IntAt(indices, static_cast<int64_t>(i));
    return at;
  }

  const DType type_;
  const bool validate_;
};

constexpr KernelRow kRows[] = {
    {"SparseToDense", Make<ToDense>},
};

}  // namespace

std::span<const KernelRow> SparseToDense() { return kRows; }

}  // namespace plumb::fast::cpu
