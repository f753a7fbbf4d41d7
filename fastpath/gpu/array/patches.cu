// ExtractImagePatches and ExtractVolumePatches: the patches of a convolution, as they are gathered for it.
#include "fastpath/formulas/array/patch_rule.h"
#include "fastpath/gpu/lib/patches.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

WindowAxis AxisOf(const PatchAxis& axis) {
  return {axis.input, axis.window, axis.stride, axis.rate, axis.before, axis.output};
}

// Of images with `rank` dimensions.
template <int rank>
class Patches final : public GpuKernel {
 public:
  explicit Patches(const Node& node) : rule_(node, rank) {}
  void Run(GpuContext& context) override {
    const PatchPlaces places = rule_.PlacesIn(context.input(0).shape());
    Tensor patches = context.AllocateOutput(0, places.shape);
    if (patches.elements() == 0) return;
    const auto& [planes, rows, columns] = places.axes;
    PatchGrid grid;
    grid.from = {places.batch, rows.input, columns.input, places.depth, false, planes.input};
    grid.to = grid.from.Resized(planes.output, rows.output, columns.output, places.depth);
    grid.planes = AxisOf(planes);
    grid.rows = AxisOf(rows);
    grid.columns = AxisOf(columns);
    grid.depth = places.depth;
    GatherPatches(context, grid, context.input(0), 0, patches);
  }

 private:
  const PatchRule rule_;
};

constexpr GpuKernelRow kRows[] = {
    {"ExtractImagePatches", Make<Patches<4>>},
    {"ExtractVolumePatches", Make<Patches<5>>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayPatches() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
