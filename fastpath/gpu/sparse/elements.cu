#include <algorithm>

#include "fastpath/gpu/gpu_inside.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/sparse/elements.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

PLUMB_GPU_KERNEL TakeCoordinates(Coordinates rows, Global<const int64_t> numbers, int64_t begin,
                                 Global<const int64_t> offsets, Global<int64_t> out) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const int axis = static_cast<int>(i % rows.rank);
    out[i] = rows(numbers[begin + i / rows.rank], axis) - (offsets.size == 0 ? 0 : offsets[axis]);
  }
}

template <class T>
PLUMB_GPU_KERNEL TakeValues(Global<const T> values, Global<const int64_t> numbers, int64_t begin, Global<T> out) {
  for (int64_t i = First(); i < out.size; i += Stride()) out[i] = values[numbers[begin + i]];
}

}  // namespace

SparseElements SparseInput(const GpuContext& context, int first) {
  const Tensor &indices = context.input(first), &values = context.input(first + 1);
  return {SparseSizesOf(indices.shape(), values.shape(), context.input(first + 2).shape()), indices, values};
}

Tensor OnHost(const std::vector<int64_t>& numbers) {
  Tensor vector = Allocate(DType::kInt64, Shape({static_cast<int64_t>(numbers.size())}));
  std::copy(numbers.begin(), numbers.end(), vector.mutable_data<int64_t>().begin());
  return vector;
}

Tensor OnDevice(GpuContext& context, const std::vector<int64_t>& numbers) {
  if (numbers.empty()) return context.Scratch(DType::kInt64, Shape({0}));
  return GpuInside(context.device()).Held(OnHost(numbers));
}

Coordinates CoordinatesOf(const GpuContext& context, const SparseElements& elements) {
  return {context.ViewOf<int64_t>(elements.indices), elements.sizes.rank};
}

Refusal OutsideOfSparse(const Shape& shape) {
  return [shape](int64_t number) {
    return InvalidArgument("the coordinates of element ", number - 1, " are outside of the shape ", shape.ToString())
        .status();
  };
}

void TakeElements(GpuContext& context, const SparseElements& from, const Tensor& numbers, int64_t begin,
                  const std::vector<int64_t>& offsets, Tensor& indices, Tensor& values) {
  const auto of = context.ViewOf<int64_t>(numbers);
  const Tensor shift = OnDevice(context, offsets);
  Launch(context.stream(), LoopOver(indices.elements()), TakeCoordinates, CoordinatesOf(context, from), of, begin,
         context.ViewOf<int64_t>(shift), context.ViewOf<int64_t>(indices));
  ForSizeOf(context.node(), values.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Launch(context.stream(), LoopOver(values.elements()), TakeValues<T>, context.ViewOf<T>(from.values), of, begin,
           context.ViewOf<T>(values));
  });
}

}  // namespace plumb::fast::GPU_NAMESPACE
