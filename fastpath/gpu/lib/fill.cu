#include "fastpath/gpu/lib/fill.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
PLUMB_GPU_KERNEL FillFromLoop(Global<const T> value, Global<T> out) {
  for (int64_t i = First(); i < out.size; i += Stride()) out[i] = value[0];
}

template <class T>
PLUMB_GPU_KERNEL FillWithLoop(T value, Global<T> out) {
  for (int64_t i = First(); i < out.size; i += Stride()) out[i] = value;
}

}  // namespace

void FillFrom(GpuContext& context, const Tensor& value, Tensor& out) {
  ForSizeOf(context.node(), out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const Global<const T> source = context.ViewOf<T>(value);
    const Global<T> target = context.ViewOf<T>(out);
    Launch(context.stream(), LoopOver(target.size), FillFromLoop<T>, source, target);
  });
}

void FillWith(GpuContext& context, const Tensor& value, Tensor& out) {
  ForSizeOf(context.node(), out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const Global<T> target = context.ViewOf<T>(out);
    const T bits = *static_cast<const T*>(value.raw());
    Launch(context.stream(), LoopOver(target.size), FillWithLoop<T>, bits, target);
  });
}

}  // namespace plumb::fast::GPU_NAMESPACE
