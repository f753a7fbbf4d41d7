// SpaceToBatchND, BatchToSpaceND and their first versions: blocks of a tensor as batch entries, and back.
#include <algorithm>
#include <vector>

#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr int kMostAxes = 16;
constexpr int kMostWorkingAxes = 4;

// A wide tensor [batch, wide…, inner], and the same in blocks: [volume × batch, many…, inner]. Entry w of a wide axis
// is entry (w + before) / block of the other, in the batch entries of place (w + before) % block.
struct Blocks {
  int rank = 0;
  bool do_something = false;
  int64_t batch = 1, inner = 1;
  int64_t wide[kMostAxes] = {}, many[kMostAxes] = {}, block[kMostAxes] = {}, before[kMostAxes] = {};
};

template <class T>
PLUMB_GPU_KERNEL ToBatchLoop(Global<const T> in, Global<T> out, Blocks blocks) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    int64_t rest = i / blocks.inner, many_volume = 1;
    for (int axis = 0; axis < blocks.rank; ++axis) many_volume *= blocks.many[axis];
    const int64_t entry = rest / many_volume;
    int64_t offset = entry / blocks.batch, place = 0, step = 1;
    bool is_there = true;
    for (int axis = blocks.rank - 1; axis >= 0; --axis) {
      const int64_t at =
          rest % blocks.many[axis] * blocks.block[axis] + offset % blocks.block[axis] - blocks.before[axis];
      is_there = is_there && at >= 0 && at < blocks.wide[axis];
      place += at * step;
      step *= blocks.wide[axis];
      rest /= blocks.many[axis];
      offset /= blocks.block[axis];
    }
    place += entry % blocks.batch * step;
    out[i] = is_there ? in[place * blocks.inner + i % blocks.inner] : T{};
  }
}

template <class T>
PLUMB_GPU_KERNEL ToSpaceLoop(Global<const T> in, Global<T> out, Blocks blocks) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    int64_t rest = i / blocks.inner, offset = 0, volume = 1, place = 0, step = 1;
    for (int axis = blocks.rank - 1; axis >= 0; --axis) {
      const int64_t at = rest % blocks.wide[axis] + blocks.before[axis];
      offset += at % blocks.block[axis] * volume;
      volume *= blocks.block[axis];
      place += at / blocks.block[axis] * step;
      step *= blocks.many[axis];
      rest /= blocks.wide[axis];
    }
    out[i] = in[((offset * blocks.batch + rest) * step + place) * blocks.inner + i % blocks.inner];
  }
}

// Whether there is one.
bool HasWorkingAxis(const Blocks& blocks, const std::vector<int64_t>& margins) {
  int first = blocks.rank, last = -1;
  for (int axis = 0; axis < blocks.rank; ++axis) {
    const auto row = static_cast<size_t>(2 * axis);
    if (blocks.block[axis] == 1 && margins[row] == 0 && margins[row + 1] == 0) continue;
    first = std::min(first, axis);
    last = axis;
  }
  Require(last - first < kMostWorkingAxes, "there may be ", kMostWorkingAxes,
          " block dimensions that do something, and there are ", last - first + 1);
  return last >= 0;
}

template <bool to_batch>
class MoveBlocks final : public GpuKernel {
 public:
  explicit MoveBlocks(const Node& node) : side_(GetAttrOr(node.attrs, "block_size", int64_t{0})) {}
  void Run(GpuContext& context) override {
    const Tensor& x = context.input(0);
    const Shape shape = context.OutputShape(0);
    const Blocks blocks = BlocksOf(context, to_batch ? x.shape() : shape, to_batch ? shape : x.shape());
    if (!blocks.do_something) return context.SetOutput(0, x);  // R31
    Tensor y = context.AllocateOutput(0, shape);
    ForSizeOf(context.node(), x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const Global<T> out = context.ViewOf<T>(y);
      Launch(context.stream(), LoopOver(out.size), to_batch ? ToBatchLoop<T> : ToSpaceLoop<T>, context.ViewOf<T>(x),
             out, blocks);
    });
  }

 private:
  // The first versions cut images into squares.
  std::vector<int64_t> SizesIn(const GpuContext& context) const {
    if (context.num_inputs() > 2) return ToInt64s(context.input(1));
    return {side_, side_};
  }

  Blocks BlocksOf(const GpuContext& context, const Shape& wide, const Shape& many) const {
    const std::vector<int64_t> sizes = SizesIn(context), margins = ToInt64s(context.input(context.num_inputs() - 1));
    Blocks blocks;
    blocks.rank = static_cast<int>(sizes.size());
    if (blocks.rank > kMostAxes) throw Unimplemented("a GPU moves blocks along at most ", kMostAxes, " dimensions");
    blocks.batch = wide[0];
    for (int axis = 0; axis < blocks.rank; ++axis) {
      blocks.wide[axis] = wide[axis + 1];
      blocks.many[axis] = many[axis + 1];
      blocks.block[axis] = sizes[static_cast<size_t>(axis)];
      blocks.before[axis] = margins[static_cast<size_t>(2 * axis)];
    }
    blocks.inner = ElementsIn(wide, blocks.rank + 1, wide.rank());
    blocks.do_something = HasWorkingAxis(blocks, margins);
    return blocks;
  }

  const int64_t side_;
};

constexpr GpuKernelRow kRows[] = {
    {"SpaceToBatch", Make<MoveBlocks<true>>},
    {"BatchToSpace", Make<MoveBlocks<false>>},
    {"SpaceToBatchND", Make<MoveBlocks<true>>},
    {"BatchToSpaceND", Make<MoveBlocks<false>>},
};

}  // namespace

std::span<const GpuKernelRow> ArraySpaceToBatch() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
