// Elementwise kernels: a loop for each formula and type; operands are broadcast where the formula allows it.
#pragma once

#include <memory>
#include <string_view>
#include <type_traits>

#include "fastpath/gpu/lib/runs.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/walk.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {

// Whether a formula, as it is written, holds a word that may refuse its operands.
constexpr bool NamesComplaint(std::string_view formula) {
  for (const std::string_view word : {"Quotient", "RemainderOf", "ModulusOf", "PowOf"}) {
    if (formula.find(word) != std::string_view::npos) return true;
  }
  return false;
}

// The status of an elementwise kernel that left a Complaint.
Status ComplaintStatus(int64_t complaint);

// The types of a formula on GPUs; rows declare no others.
template <int traits>
auto TypesOfFormula() {
  if constexpr ((traits & kFloats) != 0 && (traits & kWideInts) != 0) {
    return Reals();
  } else if constexpr ((traits & kFloats) != 0) {
    return Floats();
  } else if constexpr ((traits & kIntegers) != 0) {
    return AllIntegers();
  } else {
    return TypeList<bool>();
  }
}
template <int traits>
auto AllTypesOfFormula() {
  if constexpr ((traits & kBool) != 0 && (traits & kReals) != 0) {
    return Join<decltype(TypesOfFormula<traits>()), TypeList<bool>>();
  } else {
    return TypesOfFormula<traits>();
  }
}

// What the result of a formula is stored as: the type itself, or what the formula makes of it (bool, uint8).
template <class T, class V>
using Stored = std::conditional_t<std::is_same_v<V, typename Computed<T>::Type>, T, V>;

template <class F, class T>
using UnaryResult = Stored<T, std::invoke_result_t<F, typename Computed<T>::Type, Complaint&>>;
template <class F, class T>
using BinaryResult =
    Stored<T, std::invoke_result_t<F, typename Computed<T>::Type, typename Computed<T>::Type, Complaint&>>;

// How many elements a formula is computed of at a time. One that is long, as quotients of integers are too, is written
// out once.
template <class F, class T, class R>
constexpr int RunOfFormula() {
  constexpr bool is_long = (F::kTraits & kPlain) != 0 && !std::is_same_v<R, bool>;
  return is_long || (F::kMayComplain && std::is_integral_v<T>) ? 1 : kRunOf<T, R>;
}
template <class F, class T, class R>
inline constexpr int kRunOfFormula = RunOfFormula<F, T, R>();

// R: the type of the result.
template <class F, class T, class R>
PLUMB_GPU_KERNEL UnaryLoop(Global<const T> x, Global<R> y, int64_t runs) {
  Complaint none = kNone;
  ForRuns<kRunOfFormula<F, T, R>>(runs, y.size, [&](auto run, int64_t i) {
    constexpr int n = decltype(run)::value;
    const auto a = LoadPack<n>(x, i);
    Pack<R, n> b;
    PLUMB_GPU_UNROLL
    for (int k = 0; k < n; ++k) b.at[k] = Computed<R>::Store(F()(Computed<T>::Load(a.at[k]), none));
    StorePack(y, i, b);
  });
}

// n elements of an operand that go with those of the result from i on, or one n times.
template <int n, class T>
PLUMB_GPU_INLINE Pack<T, n> LoadOperand(const Global<const T>& operand, const Walk& walk, int which, int64_t place) {
  if (n == 1 || !walk.Repeats(which)) return LoadPack<n>(operand, place);
  const T value = operand[place];
  Pack<T, n> pack;
  PLUMB_GPU_UNROLL
  for (int k = 0; k < n; ++k) pack.at[k] = value;
  return pack;
}

// slot: empty for a formula that refuses nothing.
template <class F, class T, class R>
PLUMB_GPU_KERNEL BinaryLoop(Global<const T> x, Global<const T> y, Global<R> z, Walk walk, Global<int64_t> slot,
                            int64_t runs) {
  Complaint complaint = kNone;
  ForRuns<kRunOfFormula<F, T, R>>(runs, z.size, [&](auto run, int64_t i) {
    constexpr int n = decltype(run)::value;
    const WalkPlaces places = walk.BothAt(i);
    const auto a = LoadOperand<n>(x, walk, 0, places.first), b = LoadOperand<n>(y, walk, 1, places.second);
    Pack<R, n> c;
    PLUMB_GPU_UNROLL
    for (int k = 0; k < n; ++k) {
      c.at[k] = Computed<R>::Store(F()(Computed<T>::Load(a.at[k]), Computed<T>::Load(b.at[k]), complaint));
    }
    StorePack(z, i, c);
  });
  if (F::kMayComplain && complaint != kNone && slot.size > 0) AtomicCas(slot[0], int64_t{0}, int64_t{complaint});
}

// Queues the formula over operands that the walk goes through.
template <class F, class T, class R>
void QueueBinary(GpuContext& context, Global<const T> x, Global<const T> y, Global<R> z, const Walk& walk,
                 Global<int64_t> slot = {}) {
  constexpr int n = kRunOfFormula<F, T, R>;
  const bool goes_in_runs = walk.GoesInRuns(0, n) && walk.GoesInRuns(1, n);
  const auto is_ready = [&](const Global<const T>& operand, int which) {
    return walk.Repeats(which) || BeginsRun(operand.data, n);
  };
  const int64_t runs = goes_in_runs && is_ready(x, 0) && is_ready(y, 1) ? WholeRuns<n>(z.size, z) : 0;
  Launch(context.stream(), LoopOverRuns(runs, z.size), BinaryLoop<F, T, R>, x, y, z, walk, slot, runs);
}

template <class F, class T>
class UnaryKernel final : public GpuKernel {
 public:
  explicit UnaryKernel(const Node&) {}
  void Run(GpuContext& context) override {
    using Result = UnaryResult<F, T>;
    const Global<const T> x = context.In<T>(0);
    const Shape shape = context.input(0).shape();
    Tensor y = context.ForwardOrAllocate(0, 0, shape);
    const auto out = context.ViewOf<Result>(y);
    const int64_t runs = WholeRuns<kRunOfFormula<F, T, Result>>(out.size, x, out);
    Launch(context.stream(), LoopOverRuns(runs, out.size), UnaryLoop<F, T, Result>, x, out, runs);
  }
};

// The shape of a binary formula's result. Throws kInvalidArgument for operands that do not go together.
Shape BinaryShape(const GpuContext& context, int traits);
// Throws kUnimplemented for operands whose axes take turns too often (T10).
void CheckTurns(const GpuContext& context, const Walk& walk, const Shape& result);
// Where the node says that operands which do not go together have an answer, and they do not: sets the output to it.
bool AnswersUnlike(GpuContext& context, int traits);

template <class F, class T>
class BinaryKernel final : public GpuKernel {
 public:
  explicit BinaryKernel(const Node&) {}
  void Run(GpuContext& context) override {
    using Result = BinaryResult<F, T>;
    if (AnswersUnlike(context, F::kTraits)) return;
    const Shape shape = BinaryShape(context, F::kTraits);
    const Global<const T> x = context.In<T>(0), y = context.In<T>(1);
    const bool is_flat = (F::kTraits & (kSameSize | kSameShape)) != 0;
    const Shape x_shape = is_flat ? shape : context.input(0).shape(),
                y_shape = is_flat ? shape : context.input(1).shape();
    const Walk walk = BroadcastWalk(x_shape, y_shape, shape);
    CheckTurns(context, walk, shape);
    Tensor z = Output<Result>(context, shape);
    const auto out = context.ViewOf<Result>(z);
    Global<int64_t> slot;
    if (F::kMayComplain && std::is_integral_v<T> && out.size > 0) slot = context.NewSlot(ComplaintStatus);
    QueueBinary<F>(context, x, y, out, walk, slot);
  }

 private:
  // On an operand's memory, if that is walked through once.
  template <class Result>
  static Tensor Output(GpuContext& context, const Shape& shape) {
    if constexpr (std::is_same_v<Result, T>) {
      for (const int operand : {0, 1}) {
        if (context.input(operand).shape() == shape) return context.ForwardOrAllocate(operand, 0, shape);
      }
    }
    return context.AllocateOutput(0, shape);
  }
};

template <class F>
std::unique_ptr<GpuKernel> MakeUnary(const Node& node) {
  return ForType(node, node.input_types[0], AllTypesOfFormula<F::kTraits>(),
                 [&](auto tag) -> std::unique_ptr<GpuKernel> {
                   return std::make_unique<UnaryKernel<F, typename decltype(tag)::Type>>(node);
                 });
}
template <class F>
std::unique_ptr<GpuKernel> MakeBinary(const Node& node) {
  return ForType(node, node.input_types[0], AllTypesOfFormula<F::kTraits>(),
                 [&](auto tag) -> std::unique_ptr<GpuKernel> {
                   return std::make_unique<BinaryKernel<F, typename decltype(tag)::Type>>(node);
                 });
}

}  // namespace plumb::fast::GPU_NAMESPACE
