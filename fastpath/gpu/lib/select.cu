#include "fastpath/gpu/lib/elementwise.h"
#include "fastpath/gpu/lib/select.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
PLUMB_GPU_KERNEL SelectLoop(Global<const bool> condition, Global<const T> t, Global<const T> e, Global<T> out,
                            Walk choice, Walk values, int64_t runs) {
  ForRuns<kRunOf<T>>(runs, out.size, [&](auto run, int64_t i) {
    constexpr int n = decltype(run)::value;
    const WalkPlaces places = values.BothAt(i);
    const auto chosen = LoadOperand<n>(condition, choice, 0, choice.At(0, i));
    const auto a = LoadOperand<n>(t, values, 0, places.first), b = LoadOperand<n>(e, values, 1, places.second);
    Pack<T, n> c;
    PLUMB_GPU_UNROLL
    for (int k = 0; k < n; ++k) c.at[k] = chosen.at[k] ? a.at[k] : b.at[k];
    StorePack(out, i, c);
  });
}

template <class T>
Global<const T> ViewOf(const SelectOperand& operand) {
  return Global<const T>(static_cast<const T*>(operand.data), operand.elements);
}

template <class T>
bool GoesInRuns(const Global<const T>& operand, const Walk& walk, int which, int n) {
  return walk.GoesInRuns(which, n) && (walk.Repeats(which) || BeginsRun(operand.data, n));
}

}  // namespace

void QueueSelect(GpuContext& context, const SelectOperand& condition, const Walk& choice, const SelectOperand& t,
                 const SelectOperand& e, const Walk& values, Tensor& out) {
  ForSizeOf(context.node(), out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    constexpr int n = kRunOf<T>;
    const auto chosen = ViewOf<bool>(condition);
    const auto a = ViewOf<T>(t), b = ViewOf<T>(e);
    const Global<T> c = context.ViewOf<T>(out);
    const bool goes_in_runs =
        GoesInRuns(chosen, choice, 0, n) && GoesInRuns(a, values, 0, n) && GoesInRuns(b, values, 1, n);
    const int64_t runs = goes_in_runs ? WholeRuns<n>(c.size, c) : 0;
    Launch(context.stream(), LoopOverRuns(runs, c.size), SelectLoop<T>, chosen, a, b, c, choice, values, runs);
  });
}

}  // namespace plumb::fast::GPU_NAMESPACE
