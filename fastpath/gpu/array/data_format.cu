// DataFormatDimMap and DataFormatVecPermute: dimensions in the order of another data format.
#include "fastpath/formulas/array/data_format.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Where each row of the input stands in the output.
struct Places {
  int64_t place[5] = {};
  int64_t count = 0;
};

Places PlacesFrom(const std::vector<int64_t>& found) {
  Places places;
  for (const int64_t place : found) places.place[places.count++] = place;
  return places;
}

// What stays outside of the dimensions counts as the last one.
template <class T>
PLUMB_GPU_KERNEL DimMapLoop(Global<const T> x, Global<T> y, Places places) {
  const T rank = static_cast<T>(places.count);
  for (int64_t i = First(); i < y.size; i += Stride()) {
    const T number = x[i];
    const T dim = static_cast<T>(Add(number, rank) % rank);
    y[i] = static_cast<T>(places.place[dim < 0 ? rank - 1 : dim]);
  }
}

template <class T>
PLUMB_GPU_KERNEL PermuteLoop(Global<const T> x, Global<T> y, Places places, int64_t width) {
  for (int64_t i = First(); i < y.size; i += Stride()) y[places.place[i / width] * width + i % width] = x[i];
}

template <class T>
class DataFormatDimMap final : public GpuKernel {
 public:
  explicit DataFormatDimMap(const Node& node) : places_(PlacesFrom(DataFormats(node).Places())) {}
  void Run(GpuContext& context) override {
    const Global<const T> x = context.In<T>(0);
    const Shape shape = context.input(0).shape();
    Tensor result = context.ForwardOrAllocate(0, 0, shape);
    const Global<T> y = context.ViewOf<T>(result);
    Launch(context.stream(), LoopOver(y.size), DimMapLoop<T>, x, y, places_);
  }

 private:
  const Places places_;
};

template <class T>
class DataFormatVecPermute final : public GpuKernel {
 public:
  explicit DataFormatVecPermute(const Node& node) : formats_(node) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.input(0).shape();
    const Places places = PlacesFrom(formats_.PlacesOfRows(shape));
    Tensor result = context.AllocateOutput(0, shape);
    const Global<T> y = context.ViewOf<T>(result);
    const int64_t width = shape.rank();  // a matrix has pairs
    Launch(context.stream(), LoopOver(y.size), PermuteLoop<T>, context.In<T>(0), y, places, width);
  }

 private:
  const DataFormats formats_;
};

constexpr GpuKernelRow kRows[] = {
    {"DataFormatDimMap", MakeForType<DataFormatDimMap, TypeList<int32_t, int64_t>>},
    {"DataFormatVecPermute", MakeForType<DataFormatVecPermute, TypeList<int32_t, int64_t>>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayDataFormat() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
