// Elementwise kernels: a loop for each formula and type; operands are broadcast where the formula allows it.
#pragma once

#include <memory>
#include <string_view>
#include <type_traits>

#include "fastpath/gpu/lib/grid.h"
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

// R: the type of the result.
template <class F, class T, class R>
PLUMB_GPU_KERNEL UnaryLoop(Global<const T> x, Global<R> y) {
  Complaint none = kNone;
  for (int64_t i = First(); i < y.size; i += Stride()) y[i] = Computed<R>::Store(F()(Computed<T>::Load(x[i]), none));
}

// slot: empty for a formula that refuses nothing.
template <class F, class T, class R>
PLUMB_GPU_KERNEL BinaryLoop(Global<const T> x, Global<const T> y, Global<R> z, Walk walk, Global<int64_t> slot) {
  Complaint complaint = kNone;
  for (int64_t i = First(); i < z.size; i += Stride()) {
    const auto a = Computed<T>::Load(x[walk.At(0, i)]);
    const auto b = Computed<T>::Load(y[walk.At(1, i)]);
    z[i] = Computed<R>::Store(F()(a, b, complaint));
  }
  if (F::kMayComplain && complaint != kNone && slot.size > 0) AtomicCas(slot[0], int64_t{0}, int64_t{complaint});
}

template <class F, class T>
class UnaryKernel final : public GpuKernel {
 public:
  explicit UnaryKernel(const Node&) {}
  void Run(GpuContext& context) override {
    const Global<const T> x = context.In<T>(0);
    const Shape shape = context.input(0).shape();
    Tensor y = context.ForwardOrAllocate(0, 0, shape);
    const auto out = context.ViewOf<UnaryResult<F, T>>(y);
    Launch(context.stream(), LoopOver(out.size), UnaryLoop<F, T, UnaryResult<F, T>>, x, out);
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
    Launch(context.stream(), LoopOver(out.size), BinaryLoop<F, T, Result>, x, y, out, walk, slot);
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
