// Tile: a tensor several times; its gradient adds the tiles up.
#include "fastpath/formulas/array/tiles.h"
#include "fastpath/gpu/lib/axis_sums.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class Tile final : public GpuKernel {
 public:
  explicit Tile(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor x = context.input(0);
    for (const int64_t times : ToInt64s(context.input(1))) {
      Require(times >= 0, "a multiple must not be negative, and is ", times);
    }
    const Shape shape = context.OutputShape(0);
    if (shape == x.shape()) return context.SetOutput(0, x);  // R31
    Tensor out = context.AllocateOutput(0, shape);
    if (shape.elements() == 0) return;
    // Each axis of the result is two: which repetition, and where in it.
    Walk walk;
    for (int axis = 0; axis < x.rank(); ++axis) {
      const int64_t stride = StrideAlong(shape, axis);
      AddAxis(walk, shape[axis] / x.dim(axis), 0, x.dim(axis) * stride);
      AddAxis(walk, x.dim(axis), StrideAlong(x.shape(), axis), stride);
    }
    CopyAlong(context, walk, x, 0, out, 0);
  }
};

class TileGrad final : public GpuKernel {
 public:
  explicit TileGrad(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor x = context.input(0);
    const Tiles tiles(x.shape(), context.input(1));
    Tensor sums = context.AllocateOutput(0, tiles.tile);
    QueueAxisSums(context, x.Reshaped(tiles.split), tiles.is_folded, sums);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"Tile", Make<Tile>},
    {"TileGrad", Make<TileGrad>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayTile() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
