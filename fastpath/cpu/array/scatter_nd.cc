// ScatterNd and its like: slices that coordinates name, updated.
#include <string>
#include <type_traits>
#include <vector>

#include "fastpath/cpu/lib/coordinates.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/owned_copy.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/state/scatter_rows.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"
#include "fastpath/formulas/array/scatter_slices.h"

namespace plumb::fast::cpu {
namespace {

// Which slices of the target are updated.
struct Slices {
  int depth;
  int64_t rows, inner;

  Slices(const Shape& target, const Shape& indices, const Shape& updates)
      : depth(CoordinatesOfSlices(target, indices, updates)) {
    Require(target.elements() == 0 || depth <= kMaxCoordinates, "an index must have 1 to ", kMaxCoordinates,
            " coordinates, not ", depth);
    inner = ElementsIn(target, depth, target.rank());
    rows = updates.elements() == 0 ? 0 : updates.elements() / inner;
  }
};

// Whole numbers wrap around, bools become true, and strings are joined.
template <class T>
void AddTo(T& sum, const T& more) {
  if constexpr (std::is_same_v<T, bool>) {
    sum = sum || more;
  } else if constexpr (std::is_integral_v<T>) {
    sum = static_cast<T>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(more));
  } else {
    sum += more;
  }
}

// Every slice takes its updates in order; large ones are cut across.
template <class T>
void AddRows(ThreadPool& pool, const std::vector<int64_t>& places, int64_t inner, const T* updates, T* to) {
  const auto rows = static_cast<int64_t>(places.size());
  pool.ParallelFor(inner, GrainFor(2 * rows), [&](int64_t begin, int64_t end) {
    for (int64_t row = 0; row < rows; ++row) {
      const T* const more = updates + row * inner;
      T* const slice = to + places[static_cast<size_t>(row)] * inner;
      for (int64_t i = begin; i < end; ++i) AddTo(slice[i], more[i]);
    }
  });
}

using Added = decltype(IntegerTypes() + ComplexTypes() + Types<float, double, bool, std::string>());

// Adds the updates to `target`, which is float32 for 16-bit updates (N8).
void AddUpdates(ThreadPool& pool, const Tensor& indices, const Tensor& updates, const Slices& slices, Tensor& target) {
  if (slices.rows == 0) return;
  const std::vector<int64_t> places = PlacesOf(indices, slices.rows, target.shape(), slices.depth);
  const Tensor more = IsHalfWidth(updates.dtype()) ? AsFloat(pool, updates) : updates;
  VisitOneOf(Added(), target.dtype(), false, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    AddRows(pool, places, slices.inner, static_cast<const T*>(more.raw()), static_cast<T*>(target.mutable_raw()));
    return true;
  });
}

class ScatterNd final : public Kernel {
 public:
  explicit ScatterNd(const Node& node) : type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor &indices = context.input(0), &updates = context.input(1), &wanted = context.input(2);
    Require(wanted.rank() == 1, "shape must be a vector, not of shape ", wanted.shape().ToString());
    Dims dims;
    for (int64_t i = 0; i < wanted.elements(); ++i) dims.Append(IntAt(wanted, i));
    const Shape shape = dims.ToShape();
    RequireMatrixOfCoordinates(shape, indices.shape(), updates.shape());
    const Slices slices(shape, indices.shape(), updates.shape());
    Tensor sum = AllocateZeros(context.pool(), ComputeType(type_), shape);
    AddUpdates(context.pool(), indices, updates, slices, sum);
    context.SetOutput(0, RoundedTo(context.pool(), type_, std::move(sum)));
  }

 private:
  DType type_;
};

class ScatterNdNonAliasingAdd final : public Kernel {
 public:
  explicit ScatterNdNonAliasingAdd(const Node& node) : type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor &indices = context.input(1), &updates = context.input(2);
    const Slices slices(context.input(0).shape(), indices.shape(), updates.shape());
    if (slices.rows == 0) return context.SetOutput(0, Unaliased(context.input(0)));
    Tensor sum = Start(context);
    AddUpdates(context.pool(), indices, updates, slices, sum);
    context.SetOutput(0, RoundedTo(context.pool(), type_, std::move(sum)));
  }

 private:
  // The input as a tensor that nobody else holds, float32 for 16-bit numbers.
  Tensor Start(KernelContext& context) const {
    if (IsHalfWidth(type_)) return AsFloat(context.pool(), context.input(0));
    const Tensor input = context.TakeInput(0);
    if (input.unique() && !input.is_alias()) return input;
    Tensor copy = Allocate(type_, input.shape());
    CopyRun(type_, input.raw(), 0, copy.mutable_raw(), 0, input.elements());
    return copy;
  }

  DType type_;
};

// TensorScatterUpdate and its like.
class TensorScatter final : public Kernel {
 public:
  TensorScatter(const Node&, Scatter scatter) : scatter_(scatter) {}
  void Run(KernelContext& context) override {
    const Tensor &indices = context.input(1), &updates = context.input(2);
    const Shape target = context.input(0).shape();
    RequireMatrixOfCoordinates(target, indices.shape(), updates.shape());
    const Slices slices(target, indices.shape(), updates.shape());
    std::vector<int64_t> places;
    if (slices.rows > 0) places = PlacesOf(indices, slices.rows, target, slices.depth);
    Tensor& output = OwnedCopy(context, 0, 0);
    ScatterRows(context.pool(), scatter_, output, {places, slices.inner}, updates, /*is_own=*/false);
  }

 private:
  const Scatter scatter_;
};

constexpr KernelRow kRows[] = {
    {"ScatterNd", Make<ScatterNd>},
    {"ScatterNdNonAliasingAdd", Make<ScatterNdNonAliasingAdd>},
    {"TensorScatterUpdate", MakeWith<TensorScatter, Scatter::kReplace>},
    {"TensorScatterAdd", MakeWith<TensorScatter, Scatter::kAdd>},
    {"TensorScatterSub", MakeWith<TensorScatter, Scatter::kSubtract>},
    {"TensorScatterMax", MakeWith<TensorScatter, Scatter::kMax>},
    {"TensorScatterMin", MakeWith<TensorScatter, Scatter::kMin>},
};

}  // namespace

std::span<const KernelRow> ArrayScatterNd() { return kRows; }

}  // namespace plumb::fast::cpu
