// SpaceToDepth and DepthToSpace: squares of pixels as the channels of one, and back.
#include <string>

#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <bool to_depth>
class Rearrange final : public GpuKernel {
 public:
  explicit Rearrange(const Node& node) : block_(GetAttr<int64_t>(node.attrs, "block_size")) {
    const auto format = GetAttrOr<std::string>(node.attrs, "data_format", "NHWC");
    Require(format == "NHWC", "only NHWC images are known, not ", format);
  }
  void Run(GpuContext& context) override {
    const Tensor& x = context.input(0);
    const Shape shape = context.OutputShape(0);
    Tensor out = context.AllocateOutput(0, shape);
    const Shape &wide = to_depth ? x.shape() : shape, &deep = to_depth ? shape : x.shape();
    // Each row of squares: its rows of pixels one below the other, or side by side in the channels.
    const int64_t run = block_ * wide[3];
    Walk walk;
    const auto add = [&](int64_t size, int64_t wide_stride, int64_t deep_stride) {
      AddAxis(walk, size, to_depth ? wide_stride : deep_stride, to_depth ? deep_stride : wide_stride);
    };
    add(deep[0] * deep[1], block_ * StrideAlong(wide, 1), StrideAlong(deep, 1));
    add(block_, StrideAlong(wide, 1), run);
    add(deep[2], run, StrideAlong(deep, 2));
    add(run, 1, 1);
    if (shape.elements() > 0) CopyAlong(context, walk, x, 0, out, 0);
  }

 private:
  const int64_t block_;
};

constexpr GpuKernelRow kRows[] = {
    {"SpaceToDepth", Make<Rearrange<true>>},
    {"DepthToSpace", Make<Rearrange<false>>},
};

}  // namespace

std::span<const GpuKernelRow> ArraySpaceToDepth() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
