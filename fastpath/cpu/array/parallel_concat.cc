// ParallelConcat: rows put together into a tensor whose shape is known when the plan is made.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"
#include "fastpath/formulas/array/parallel_rows.h"

namespace plumb::fast::cpu {
namespace {

class ParallelConcat final : public Kernel {
 public:
  explicit ParallelConcat(const Node& node) : type_(OutputType(node, 0)), rows_(node) {}
  void Run(KernelContext& context) override {
    for (int i = 0; i < context.num_inputs(); ++i) rows_.RequireRow(i, context.input(i).shape());
    Tensor& output = context.AllocateOutput(0, type_, rows_.whole);
    if (context.num_inputs() < rows_.whole[0]) FillZero(context.pool(), output);
    const int64_t width = rows_.row.elements();
    for (int i = 0; i < context.num_inputs() && width > 0; ++i) {
      CopyRows(context.pool(), type_, {1, width}, context.input(i).raw(), width,
               At(output.mutable_raw(), type_, i * width), width);
    }
  }

 private:
  const DType type_;
  const ParallelRows rows_;
};

constexpr KernelRow kRows[] = {
    {"ParallelConcat", Make<ParallelConcat>},
};

}  // namespace

std::span<const KernelRow> ArrayParallelConcat() { return kRows; }

}  // namespace plumb::fast::cpu
