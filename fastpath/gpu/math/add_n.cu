// AddN and AccumulateNV2: a sum of tensors of one shape, from left to right.
#include <algorithm>

#include "fastpath/gpu/lib/runs.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr int kMostTerms = 128;  // of one launch

constinit ChoicePoint terms_in_groups("terms of a sum on GPUs: in one launch, or in several");

// Where the terms of a launch lie, which have `size` elements each.
template <class T>
struct Terms {
  const T* at[kMostTerms] = {};
  int count = 0;
  int64_t size = 0;
};

// begun: the sum so far, in the type that is computed in; empty at first. Goes to `out`, or to `unfinished`.
template <class T, class Sum>
PLUMB_GPU_KERNEL AddLoop(Terms<T> terms, Global<const Sum> begun, Global<Sum> unfinished, Global<T> out, int64_t runs) {
  ForRuns<kRunOf<T, Sum>>(runs, terms.size, [&](auto run, int64_t i) {
    constexpr int n = decltype(run)::value;
    Pack<Sum, n> sums;
    if (begun.size > 0) {
      sums = LoadPack<n>(begun, i);
    } else {
      PLUMB_GPU_UNROLL
      for (int k = 0; k < n; ++k) sums.at[k] = -Sum(0);
    }
    PLUMB_GPU_OVERLAP
    for (int term = 0; term < terms.count; ++term) {
      const Pack<T, n> more = LoadPack<n>(Global<const T>(terms.at[term], terms.size), i);
      PLUMB_GPU_UNROLL
      for (int k = 0; k < n; ++k) sums.at[k] = Add(sums.at[k], Computed<T>::Load(more.at[k]));
    }
    if (out.size == 0) return StorePack(unfinished, i, sums);
    Pack<T, n> rounded;
    PLUMB_GPU_UNROLL
    for (int k = 0; k < n; ++k) rounded.at[k] = Computed<T>::Store(sums.at[k]);
    StorePack(out, i, rounded);
  });
}

// A complex number is two real ones: `parts`.
template <class T>
class AddN final : public GpuKernel {
 public:
  AddN(const Node& node, int parts) : parts_(parts), forwards_(node.op->FindAttr("shape") == nullptr) {}
  void Run(GpuContext& context) override {
    using Sum = typename Computed<T>::Type;
    const Shape shape = context.input(0).shape();
    const int inputs = context.num_inputs();
    for (int i = 1; i < inputs; ++i) {
      Require(context.input(i).shape() == shape, "inputs 0 and ", i, " must have one shape, not ", shape.ToString(),
              " and ", context.input(i).shape().ToString());
    }
    if (inputs == 1 && forwards_) return context.SetOutput(0, context.input(0));  // R31
    if (inputs == 1) return SetUnaliased(context, 0, context.input(0), shape);
    const int64_t size = shape.elements() * parts_;
    Tensor sum = context.AllocateOutput(0, shape);
    Tensor partial;
    Global<Sum> unfinished;
    if (terms_in_groups.Chosen(inputs > kMostTerms)) {
      partial = context.Scratch(DTypeOf<Sum>, Shape({size}));
      unfinished = context.ViewOf<Sum>(partial);
    }
    for (int first = 0; first < inputs; first += kMostTerms) {
      Terms<T> terms;
      terms.size = size;
      terms.count = std::min(kMostTerms, inputs - first);
      for (int i = 0; i < terms.count; ++i) terms.at[i] = static_cast<const T*>(context.input(first + i).raw());
      const Global<const Sum> begun = first > 0 ? Global<const Sum>(unfinished) : Global<const Sum>();
      constexpr int n = kRunOf<T, Sum>;
      int64_t runs = WholeRuns<n>(size, Global<const T>(static_cast<const T*>(sum.raw()), size), unfinished);
      for (int i = 0; i < terms.count && runs > 0; ++i) runs = BeginsRun(terms.at[i], n) ? runs : 0;
      const bool is_last = first + terms.count == inputs;
      const Global<T> out = is_last ? Global<T>(static_cast<T*>(sum.mutable_raw()), size) : Global<T>();
      Launch(context.stream(), LoopOverRuns(runs, size), AddLoop<T, Sum>, terms, begun, unfinished, out, runs);
    }
  }

 private:
  const int parts_;
  const bool forwards_;  // a single term; AccumulateNV2, which says the shape, copies it
};

std::unique_ptr<GpuKernel> MakeAddN(const Node& node) {
  const DType type = Base(node.input_types[0]);
  if (type == DType::kComplex64) return std::make_unique<AddN<float>>(node, 2);
  if (type == DType::kComplex128) return std::make_unique<AddN<double>>(node, 2);
  return ForType(node, type, Reals(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<AddN<typename decltype(tag)::Type>>(node, 1);
  });
}

constexpr GpuKernelRow kRows[] = {
    {"AddN", MakeAddN},
    {"AccumulateNV2", MakeAddN},
};

}  // namespace

std::span<const GpuKernelRow> MathAddN() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
