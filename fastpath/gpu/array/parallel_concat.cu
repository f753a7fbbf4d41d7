// ParallelConcat: rows put together into a tensor whose shape is known when the plan is made.
#include "fastpath/formulas/array/parallel_rows.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class ParallelConcat final : public GpuKernel {
 public:
  explicit ParallelConcat(const Node& node) : rows_(node) {}
  void Run(GpuContext& context) override {
    for (int i = 0; i < context.num_inputs(); ++i) rows_.RequireRow(i, context.input(i).shape());
    Tensor output = context.AllocateOutput(0, rows_.whole);
    if (context.num_inputs() < rows_.whole[0]) context.Clear(output);
    const int64_t width = rows_.row.elements();
    for (int i = 0; i < context.num_inputs(); ++i) CopyRange(context, context.input(i), 0, output, i * width, width);
  }

 private:
  const ParallelRows rows_;
};

constexpr GpuKernelRow kRows[] = {
    {"ParallelConcat", Make<ParallelConcat>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayParallelConcat() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
