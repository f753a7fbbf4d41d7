// Kernels that change variables in the device's memory, element by element (R22, R43, R60–R67), all of them or those of
// the rows that indices name (R68).
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "fastpath/device/variable_access.h"
#include "fastpath/gpu/gpu_inside.h"
#include "fastpath/gpu/lib/runs.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {

inline constexpr int kMostSlots = 4;
inline constexpr int kMostScalars = 6;

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/optimizer/numbers-inl.h"
#undef PLUMB_INLINE

// What a formula computes in: numbers of the 16-bit types round at each step.
template <class T>
struct Updated : Computed<T> {};
template <class T>
requires kIsHalf<T>
struct Updated<T> {
  using Type = InSteps<float, Updated<T>>;
  PLUMB_GPU_INLINE static float Rounded(float exact) { return Computed<T>::Load(Computed<T>::Store(exact)); }
  PLUMB_GPU_INLINE static Type Load(T value) { return Held<Updated<T>>(Computed<T>::Load(value)); }
  PLUMB_GPU_INLINE static T Store(Type value) { return Computed<T>::Store(value.number); }
};

// Which inputs of an update are what; 0 … slots−1 are the variables.
struct UpdateInputs {
  int slots;
  int gradient;
  int indices = -1;  // of the rows that the gradient speaks of; -1: it has the variable's shape
  std::initializer_list<int> scalars;
  Code of_missing = Code::kInternal;  // for a variable that was never assigned (R46; R43: kNotFound)
  bool refuses_empty_rows = false;    // R68
};

// What a loop gets. Two roles may be of one variable (R59): then the later one's elements are those of the earlier one.
template <class T>
struct UpdateArrays {
  Global<T> slots[kMostSlots];
  int same_as[kMostSlots];
  Global<const T> gradient;
  int gradient_is_slot = -1;
  Global<const T> scalars[kMostScalars];
  int scalar_count = 0;
};

// The numbers of one element's slots, as a formula writes them.
template <class V>
struct SlotNumbers {
  V* numbers;
  const int* same_as;
  PLUMB_GPU_WORD V& operator[](int k) const { return numbers[same_as[k]]; }
};

// Those of slots that are all of different variables. Which is which is known when a formula is compiled.
template <class V>
struct OwnNumbers {
  V* numbers;
  PLUMB_GPU_WORD V& operator[](int k) const { return numbers[k]; }
};

// The scalars of a launch, and as a formula wants them.
template <class T, class Numbers = Computed<T>>
struct Scalars {
  using V = typename Numbers::Type;
  V numbers[kMostScalars] = {};
  PLUMB_GPU_INLINE explicit Scalars(const UpdateArrays<T>& arrays) {
    PLUMB_GPU_UNROLL
    for (int k = 0; k < kMostScalars; ++k) {
      if (k < arrays.scalar_count) numbers[k] = Numbers::Load(arrays.scalars[k][0]);
    }
  }
};
template <class F, class T>
struct PreparedScalars : Scalars<T, Updated<T>> {
  PLUMB_GPU_INLINE explicit PreparedScalars(const UpdateArrays<T>& arrays) : Scalars<T, Updated<T>>(arrays) {
    if constexpr (requires { F::Prepare(this->numbers); }) F::Prepare(this->numbers);
  }
};

// n elements from i on, of slots that are all of different variables, none of which is the gradient.
template <class F, int n, class T, class C>
PLUMB_GPU_INLINE void UpdateRun(const UpdateArrays<T>& arrays, int64_t i, const C& c) {
  using V = typename Updated<T>::Type;
  Pack<T, n> slots[F::kSlots];
  PLUMB_GPU_UNROLL
  for (int k = 0; k < F::kSlots; ++k) slots[k] = LoadPack<n>(arrays.slots[k], i);
  const Pack<T, n> gradients = LoadPack<n>(arrays.gradient, i);
  PLUMB_GPU_UNROLL
  for (int element = 0; element < n; ++element) {
    V numbers[F::kSlots];
    PLUMB_GPU_UNROLL
    for (int k = 0; k < F::kSlots; ++k) numbers[k] = Updated<T>::Load(slots[k].at[element]);
    const V gradient = Updated<T>::Load(gradients.at[element]);
    F::Apply(OwnNumbers<V>{numbers}, gradient, c.numbers);
    PLUMB_GPU_UNROLL
    for (int k = 0; k < F::kSlots; ++k) slots[k].at[element] = Updated<T>::Store(numbers[k]);
  }
  PLUMB_GPU_UNROLL
  for (int k = 0; k < F::kSlots; ++k) StorePack(arrays.slots[k], i, slots[k]);
}

template <class F, class T>
PLUMB_GPU_KERNEL UpdateLoop(UpdateArrays<T> arrays, int64_t count, int64_t runs) {
  const PreparedScalars<F, T> c(arrays);
  ForRuns<kRunOf<T>>(runs, count, [&](auto run, int64_t i) { UpdateRun<F, decltype(run)::value>(arrays, i, c); });
}

// Where a variable has two roles, or is the gradient as well (R59).
template <class F, class T>
PLUMB_GPU_KERNEL UpdateSharedLoop(UpdateArrays<T> arrays, int64_t count) {
  using V = typename Updated<T>::Type;
  const PreparedScalars<F, T> c(arrays);
  for (int64_t i = First(); i < count; i += Stride()) {
    V numbers[kMostSlots] = {};
    for (int k = 0; k < F::kSlots; ++k) {
      if (arrays.same_as[k] == k) numbers[k] = Updated<T>::Load(arrays.slots[k][i]);
    }
    V own = arrays.gradient_is_slot >= 0 ? V() : Updated<T>::Load(arrays.gradient[i]);
    const V& gradient = arrays.gradient_is_slot >= 0 ? numbers[arrays.gradient_is_slot] : own;
    F::Apply(SlotNumbers<V>{numbers, arrays.same_as}, gradient, c.numbers);
    for (int k = 0; k < F::kSlots; ++k) {
      if (arrays.same_as[k] == k) arrays.slots[k][i] = Updated<T>::Store(numbers[k]);
    }
  }
}

// The host's part: finds the variables, locks them, looks at types and shapes, and calls the loop on their memory.
class UpdateKernel : public GpuKernel {
 public:
  UpdateKernel(const Node& node, const UpdateInputs& inputs);
  void Run(GpuContext& context) override;

 protected:
  // The memory of the slots, all of one shape, while they are locked.
  virtual void Update(GpuContext& context, const std::vector<void*>& slots, const Shape& shape) = 0;

  const UpdateInputs& inputs_;

 private:
  std::shared_ptr<Variable> VariableAt(KernelContext& context, int k);
  Shape CheckedShape(GpuContext& context, VariableUpdate& update) const;
  void CheckGradient(const GpuContext& context, const Shape& shape) const;

  const std::string node_;
  const DType type_;
  const bool is_resource_;
  std::vector<std::unique_ptr<VariableLookup>> lookups_;  // by slot
};

// What a launch is given of the slots' memory, of `count` elements each, and of the inputs.
template <class T>
UpdateArrays<T> ArraysOf(const GpuContext& context, const UpdateInputs& inputs, const std::vector<void*>& slots,
                         int64_t count) {
  UpdateArrays<T> arrays;
  for (int k = 0; k < inputs.slots; ++k) {
    arrays.slots[k] = Global<T>(static_cast<T*>(slots[static_cast<size_t>(k)]), count);
    arrays.same_as[k] = k;
    for (int before = k - 1; before >= 0; --before) {
      if (arrays.slots[before].data == arrays.slots[k].data) arrays.same_as[k] = before;
    }
  }
  arrays.gradient = context.In<T>(inputs.gradient);
  for (const int input : inputs.scalars) arrays.scalars[arrays.scalar_count++] = context.In<T>(input);
  return arrays;
}

template <class F, class T>
class FormulaUpdate final : public UpdateKernel {
 public:
  using UpdateKernel::UpdateKernel;

 private:
  void Update(GpuContext& context, const std::vector<void*>& slots, const Shape& shape) override {
    UpdateArrays<T> arrays = ArraysOf<T>(context, inputs_, slots, shape.elements());
    for (int k = F::kSlots - 1; k >= 0; --k) {
      if (arrays.slots[k].data == arrays.gradient.data) arrays.gradient_is_slot = k;
    }
    const int64_t count = shape.elements();
    bool are_own = arrays.gradient_is_slot < 0;
    for (int k = 0; k < F::kSlots; ++k) are_own = are_own && arrays.same_as[k] == k;
    if (!are_own) return Launch(context.stream(), LoopOver(count), UpdateSharedLoop<F, T>, arrays, count);
    int64_t runs = WholeRuns<kRunOf<T>>(count, arrays.gradient);
    for (int k = 0; k < F::kSlots; ++k) runs = std::min(runs, WholeRuns<kRunOf<T>>(count, arrays.slots[k]));
    Launch(context.stream(), LoopOverRuns(runs, count), UpdateLoop<F, T>, arrays, count, runs);
  }
};

// The update of a formula, for the floating type of the node's gradient. `inputs` lives as long as the kernel.
template <class F>
std::unique_ptr<GpuKernel> MakeUpdate(const Node& node, const UpdateInputs& inputs) {
  const DType type = node.input_types[static_cast<size_t>(inputs.gradient)];
  return ForType(node, type, Floats(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<FormulaUpdate<F, typename decltype(tag)::Type>>(node, inputs);
  });
}

// R22, R43: a value is added to the variable, or subtracted.
template <bool subtracts>
struct SumUpdate {
  static constexpr int kSlots = 1;
  template <class S, class V>
  static PLUMB_GPU_WORD void Apply(S s, const V& g, const V*) {
    s[0] = subtracts ? Sub(s[0], g) : Add(s[0], g);
  }
};
inline const UpdateInputs kSumInputs{.slots = 1, .gradient = 1, .scalars = {}, .of_missing = Code::kNotFound};
template <bool subtracts>
std::unique_ptr<GpuKernel> MakeSum(const Node& node) {
  return ForType(node, node.input_types[1], Reals(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<FormulaUpdate<SumUpdate<subtracts>, typename decltype(tag)::Type>>(node, kSumInputs);
  });
}

}  // namespace plumb::fast::GPU_NAMESPACE
