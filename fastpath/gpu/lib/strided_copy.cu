#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/runtime/cuda_driver.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
PLUMB_GPU_KERNEL CopyLoop(Global<const T> from, int64_t from_first, Global<T> to, int64_t to_first, Walk walk,
                          int64_t count) {
  for (int64_t i = First(); i < count; i += Stride()) to[to_first + walk.At(1, i)] = from[from_first + walk.At(0, i)];
}

bool EndsAligned(DType type, int64_t elements) {
  return elements * static_cast<int64_t>(ElementSize(type)) % static_cast<int64_t>(kTensorAlignment) == 0;
}

}  // namespace

void CopyAlong(GpuContext& context, const Walk& walk, const Tensor& from, int64_t from_first, Tensor& to,
               int64_t to_first) {
  int64_t count = 1;
  for (int axis = 0; axis < walk.rank; ++axis) count *= walk.size[axis];
  if (count == 0) return;
  ForSizeOf(context.node(), from.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const Global<const T> source(static_cast<const T*>(from.raw()), from.elements());
    const Global<T> target(static_cast<T*>(to.mutable_raw()), to.elements());
    Launch(context.stream(), LoopOver(count), CopyLoop<T>, source, from_first, target, to_first, walk, count);
  });
}

void CopyRows(GpuContext& context, const Rows& rows, const Tensor& from, int64_t from_first, Tensor& to,
              int64_t to_first) {
  Walk walk;
  AddAxis(walk, rows.rows, rows.from_step, rows.to_step);
  AddAxis(walk, rows.run, 1, 1);
  CopyAlong(context, walk, from, from_first, to, to_first);
}

void CopyRange(GpuContext& context, const Tensor& from, int64_t from_first, Tensor& to, int64_t to_first,
               int64_t count) {
  if (count == 0) return;
  const size_t size = ElementSize(from.dtype());
  Check(cudaMemcpyAsync(static_cast<char*>(to.mutable_raw()) + static_cast<size_t>(to_first) * size,
                        static_cast<const char*>(from.raw()) + static_cast<size_t>(from_first) * size,
                        static_cast<size_t>(count) * size, cudaMemcpyDeviceToDevice, context.stream()),
        "to copy on a GPU");
}

void SetUnaliased(GpuContext& context, int output, const Tensor& x, const Shape& shape) {
  if (!x.is_alias()) return context.SetOutput(output, x.Reshaped(shape));
  const Tensor alias = x;
  Tensor copy = context.AllocateOutput(output, shape);
  CopyRange(context, alias, 0, copy, 0, alias.elements());
}

bool SharesRows(const Tensor& tensor) {
  if (tensor.rank() == 0 || tensor.elements() == 0) return false;
  return EndsAligned(tensor.dtype(), tensor.elements() / tensor.dim(0));
}

bool SharesSlice(const Tensor& tensor, int64_t begin, int64_t size) {
  if (tensor.rank() != 1) return SharesRows(tensor);
  return size > 0 && EndsAligned(tensor.dtype(), begin) && EndsAligned(tensor.dtype(), size);
}

int64_t StrideAlong(const Shape& shape, int axis) { return ElementsIn(shape, axis + 1, shape.rank()); }

}  // namespace plumb::fast::GPU_NAMESPACE
