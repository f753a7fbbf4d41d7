// SparseReshape: places in row-major order, taken apart by the strides of another shape.
#include "fastpath/cpu/lib/int_vector.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class Reshape final : public Kernel {
 public:
  explicit Reshape(const Node& /*node*/) {}
  void Run(KernelContext& context) override {
    const Tensor shape_as_given = context.input(1);
    context.Unalias(1);
    context.Unalias(2);
    const IndexRows rows = IndexRowsOf(context.input(0));
    const Dims from = DimsOf(context.input(1), "input_shape");
    Require(from.rank == rows.rank, "there are ", rows.rank, " coordinates for each element, but ", from.rank,
            " sizes in input_shape");
    const int64_t elements = from.ToShape().elements();
    const std::vector<int64_t> sizes = ReshapedSizes(ListedSizes(context.input(2), "new_shape"), elements);
    const Dims to{Shape(sizes)};
    if (to.rank == from.rank && std::equal(to.size, to.size + to.rank, from.size)) {  // R31
      context.SetOutput(0, context.input(0));
      return context.SetOutput(1, shape_as_given);
    }
    SetIntVector(context, 1, DType::kInt64, sizes);
    Require(rows.count == 0 || elements > 0, "there are elements, but the shape ", from.ToShape().ToString(),
            " has none");
    int64_t* const at = AllocateRows(context, 0, rows.count, to.rank);
    if (rows.count == 0) return;
    const Strides strides(to.ToShape());
    context.pool().ParallelFor(rows.count, GrainFor(20 * (to.rank + 1)), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        int64_t place = PlaceIn(from, rows[i]);
        for (int axis = 0; axis < to.rank; ++axis) {
          at[i * to.rank + axis] = place / strides[axis];
          place %= strides[axis];
        }
      }
    });
  }
  bool KeepsAliases() const override { return true; }
};

constexpr KernelRow kRows[] = {
    {"SparseReshape", Make<Reshape>},
};

}  // namespace

std::span<const KernelRow> SparseReshape() { return kRows; }

}  // namespace plumb::fast::cpu
