#include "fastpath/gpu/lib/fill.h"
#include "fastpath/gpu/lib/runs.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
PLUMB_GPU_INLINE void FillRuns(Global<T> out, T value, int64_t runs) {
  ForRuns<kRunOf<T>>(runs, out.size, [&](auto run, int64_t i) {
    constexpr int n = decltype(run)::value;
    Pack<T, n> pack;
    PLUMB_GPU_UNROLL
    for (int k = 0; k < n; ++k) pack.at[k] = value;
    StorePack(out, i, pack);
  });
}

template <class T>
PLUMB_GPU_KERNEL FillFromLoop(Global<const T> value, Global<T> out, int64_t runs) {
  FillRuns(out, value[0], runs);
}

template <class T>
PLUMB_GPU_KERNEL FillWithLoop(T value, Global<T> out, int64_t runs) {
  FillRuns(out, value, runs);
}

}  // namespace

void FillFrom(GpuContext& context, const Tensor& value, Tensor& out) {
  ForSizeOf(context.node(), out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const Global<const T> source = context.ViewOf<T>(value);
    const Global<T> target = context.ViewOf<T>(out);
    const int64_t runs = WholeRuns<kRunOf<T>>(target.size, target);
    Launch(context.stream(), LoopOverRuns(runs, target.size), FillFromLoop<T>, source, target, runs);
  });
}

void FillWith(GpuContext& context, const Tensor& value, Tensor& out) {
  ForSizeOf(context.node(), out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const Global<T> target = context.ViewOf<T>(out);
    const T bits = *static_cast<const T*>(value.raw());
    const int64_t runs = WholeRuns<kRunOf<T>>(target.size, target);
    Launch(context.stream(), LoopOverRuns(runs, target.size), FillWithLoop<T>, bits, target, runs);
  });
}

}  // namespace plumb::fast::GPU_NAMESPACE
