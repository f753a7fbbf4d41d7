// ParallelConcat: rows put together into a tensor whose shape is known when the plan is made.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class ParallelConcat final : public Kernel {
 public:
  explicit ParallelConcat(const Node& node) : type_(OutputType(node, 0)) {
    const auto& shape = GetAttr<PartialShape>(node.attrs, "shape");
    Require(shape.IsFullyDefined() && shape.rank() > 0, "node ", node.name, ": the shape ", shape.ToString(),
            " must be fully known, and have a dimension");
    shape_ = shape.ToShape();
    Dims row(shape_);
    row[0] = 1;
    row_ = row.ToShape();
    Require(static_cast<int64_t>(node.input_types.size()) <= shape_[0], "node ", node.name, ": ",
            node.input_types.size(), " values are more rows than ", shape_.ToString(), " has");
  }
  void Run(KernelContext& context) override {
    for (int i = 0; i < context.num_inputs(); ++i) {
      Require(context.input(i).shape() == row_, "value ", i, " must have the shape ", row_.ToString(), ", not ",
              context.input(i).shape().ToString());
    }
    Tensor& output = context.AllocateOutput(0, type_, shape_);
    if (context.num_inputs() < shape_[0]) FillZero(context.pool(), output);
    const int64_t width = row_.elements();
    for (int i = 0; i < context.num_inputs() && width > 0; ++i) {
      CopyRows(context.pool(), type_, {1, width}, context.input(i).raw(), width,
               At(output.mutable_raw(), type_, i * width), width);
    }
  }

 private:
  const DType type_;
  Shape shape_, row_;
};

constexpr KernelRow kRows[] = {
    {"ParallelConcat", Make<ParallelConcat>},
};

}  // namespace

std::span<const KernelRow> ArrayParallelConcat() { return kRows; }

}  // namespace plumb::fast::cpu
