// Tile: a tensor several times; its gradient adds the tiles up.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/reduction/reduce.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"
#include "fastpath/formulas/array/tiles.h"

namespace plumb::fast::cpu {
namespace {

class Tile final : public Kernel {
 public:
  explicit Tile(const Node& node) : type_(InputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor &x = context.input(0), &multiples = context.input(1);
    RequireMultiples(x.shape(), multiples);
    Dims dims;
    for (int axis = 0; axis < x.rank(); ++axis) {
      const int64_t times = IntAt(multiples, axis);
      Require(times >= 0, "multiples[", axis, "] must not be negative, and is ", times);
      const auto size = CheckedMultiply(x.dim(axis), times);
      Require(size.has_value(), "dimension ", axis, " repeated ", times, " times is too large");
      dims.Append(*size);
    }
    const Shape shape = dims.ToShape();
    if (shape == x.shape()) return context.SetOutput(0, x);                         // R31
    if (shape.elements() > 0 && (IsQuantized(type_) || type_ == DType::kUint16)) {  // T11
      throw Unimplemented("Tile does not know elements of type ", DTypeName(type_));
    }
    context.CopyGuarded(0);
    Tensor& output = context.AllocateOutput(0, type_, shape);
    if (shape.elements() == 0) return;
    CopyTiles(context.pool(), x, output);
  }
  bool KeepsAliases() const override { return true; }

 private:
  // Each axis of the result is two: which repetition, and where in it.
  void CopyTiles(ThreadPool& pool, const Tensor& x, Tensor& output) const {
    Require(x.rank() <= kMaxRank / 2, "a tensor of rank ", x.rank(), " has too many dimensions to be tiled");
    const Strides from(x.shape()), to(output.shape());
    CopyPlan plan;
    for (int axis = 0; axis < x.rank(); ++axis) {
      plan.Append(output.dim(axis) / x.dim(axis), 0, x.dim(axis) * to[axis]);
      plan.Append(x.dim(axis), from[axis], to[axis]);
    }
    CopyStrided(pool, type_, plan, x.raw(), output.mutable_raw());
  }

  DType type_;
};

// The sum of the tiles.
class TileGrad final : public Kernel {
 public:
  explicit TileGrad(const Node& node) : type_(InputType(node, 0)), sum_(FindReduction(Fold::kSum, type_)) {}
  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    const Tiles tiles(x.shape(), context.input(1));
    const Tensor sum = Reduce(context.pool(), sum_, x.Reshaped(tiles.split), tiles.is_folded);
    context.SetOutput(0, RoundedTo(context.pool(), type_, sum.Reshaped(tiles.tile)));
  }

 private:
  DType type_;
  Reduction sum_;
};

constexpr KernelRow kRows[] = {
    {"Tile", Make<Tile>},
    {"TileGrad", Make<TileGrad>},
};

}  // namespace

std::span<const KernelRow> ArrayTile() { return kRows; }

}  // namespace plumb::fast::cpu
