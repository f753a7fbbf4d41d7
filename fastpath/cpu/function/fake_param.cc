// Values that nobody looks at.
#include <algorithm>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class FakeParamKernel final : public Kernel {
 public:
  explicit FakeParamKernel(const Node& node) {
    const auto& declared = GetAttr<PartialShape>(node.attrs, "shape");
    std::vector<int64_t> dims;
    for (int axis = 0; declared.has_rank() && axis < declared.rank(); ++axis) {
      dims.push_back(std::max<int64_t>(declared.dim(axis), 0));
    }
    type_ = OutputType(node, 0);
    shape_ = Shape(dims);
  }

  void Run(KernelContext& context) override { context.SetOutput(0, Zeros(type_, shape_)); }

 private:
  DType type_;
  Shape shape_;
};

constexpr KernelRow kRows[] = {
    {"FakeParam", Make<FakeParamKernel>},
};

}  // namespace

std::span<const KernelRow> FunctionFakeParam() { return kRows; }

}  // namespace plumb::fast::cpu
