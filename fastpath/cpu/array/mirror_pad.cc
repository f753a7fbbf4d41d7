// MirrorPad and its gradient. Along one axis the padded tensor is three pieces, of which the outer two run backwards;
// padding writes all pieces of all axes, and the gradient adds them up, axis by axis.
#include <algorithm>
#include <string>
#include <type_traits>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constexpr int kMaxDimensions = 5;

// How far a tensor is continued on each side of each axis.
struct Amounts {
  int64_t before[kMaxDimensions];
  int64_t after[kMaxDimensions];
  bool reflects = false;  // whether the border is left out of its image

  Amounts(const Tensor& x, const Tensor& paddings, bool reflecting) : reflects(reflecting) {
    if (x.rank() > kMaxDimensions) {  // T9
      throw Unimplemented("a tensor of rank ", x.rank(), " is not mirrored; the limit is ", kMaxDimensions);
    }
    Require(paddings.rank() == 2 && paddings.dim(0) == x.rank() && paddings.dim(1) == 2,
            "paddings must have the shape [", x.rank(), ",2], not ", paddings.shape().ToString());
    for (int axis = 0; axis < x.rank(); ++axis) {
      before[axis] = IntAt(paddings, int64_t{2} * axis);
      after[axis] = IntAt(paddings, int64_t{2} * axis + 1);
      Require(before[axis] >= 0 && after[axis] >= 0, "paddings must not be negative: ", before[axis], " ", after[axis]);
    }
  }
  void CheckFor(int axis, int64_t size) const {
    const int64_t most = size - (reflects ? 1 : 0);
    Require(before[axis] <= most && after[axis] <= most, "dimension ", axis, " of size ", size,
            " is mirrored by at most ", most, " elements, not ", before[axis], " and ", after[axis]);
  }
};

bool Reflects(const Node& node) { return GetAttr<std::string>(node.attrs, "mode") == "REFLECT"; }

class MirrorPad final : public Kernel {
 public:
  explicit MirrorPad(const Node& node) : type_(InputType(node, 0)), reflects_(Reflects(node)) {}
  void Run(KernelContext& context) override {
    context.Unalias(1);
    const Tensor& x = context.input(0);
    const Amounts amounts(x, context.input(1), reflects_);
    Dims dims;
    for (int axis = 0; axis < x.rank(); ++axis) {
      amounts.CheckFor(axis, x.dim(axis));
      int64_t size = x.dim(axis);
      Require(!__builtin_add_overflow(size, amounts.before[axis], &size) &&
                  !__builtin_add_overflow(size, amounts.after[axis], &size),
              "dimension ", axis, " is too large with its padding");
      dims.Append(size);
    }
    const Shape shape = dims.ToShape();
    if (shape == x.shape()) return context.SetOutput(0, x);  // R31
    context.CopyGuarded(0);
    Tensor& output = context.AllocateOutput(0, type_, shape);
    if (x.elements() == 0) return;
    int pieces = 1;
    for (int axis = 0; axis < x.rank(); ++axis) pieces *= 3;
    for (int piece = 0; piece < pieces; ++piece) CopyPiece(context.pool(), x, amounts, piece, output);
  }
  bool KeepsAliases() const override { return true; }

 private:
  // The digits of `piece` in base three say for each axis: the middle, before it, behind it.
  void CopyPiece(ThreadPool& pool, const Tensor& x, const Amounts& amounts, int piece, Tensor& output) const {
    const Strides from(x.shape()), to(output.shape());
    const int64_t skipped = reflects_ ? 1 : 0;
    CopyPlan plan;
    int64_t source = 0, target = 0;
    for (int axis = 0; axis < x.rank(); ++axis, piece /= 3) {
      const int64_t size = x.dim(axis), before = amounts.before[axis], after = amounts.after[axis];
      if (piece % 3 == 0) {
        plan.Append(size, from[axis], to[axis]);
        target += before * to[axis];
      } else if (piece % 3 == 1) {
        if (before == 0) return;
        plan.Append(before, -from[axis], to[axis]);
        source += (before - 1 + skipped) * from[axis];
      } else {
        if (after == 0) return;
        plan.Append(after, -from[axis], to[axis]);
        source += (size - 1 - skipped) * from[axis];
        target += (before + size) * to[axis];
      }
    }
    CopyStrided(pool, type_, plan, At(x.raw(), type_, source), At(output.mutable_raw(), type_, target));
  }

  DType type_;
  bool reflects_;
};

// The sums along one axis of [outer, padded, inner] elements.
struct AxisFold {
  int64_t outer, inner, before, size, after, skipped;
  int64_t padded() const { return before + size + after; }
};

// Whole numbers wrap around.
template <class T>
T Added(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  } else {
    return a + b;
  }
}

template <class T>
void FoldAxis(ThreadPool& pool, const AxisFold& fold, const T* from, T* to) {
  pool.ParallelFor(fold.outer * fold.size, GrainFor(2 * fold.inner), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t at = i % fold.size;
      const T* const block = from + i / fold.size * fold.padded() * fold.inner;
      T* const sum = to + i * fold.inner;
      const auto add = [&](int64_t row) {
        const T* const more = block + row * fold.inner;
        for (int64_t j = 0; j < fold.inner; ++j) sum[j] = Added(sum[j], more[j]);
      };
      std::copy_n(block + (fold.before + at) * fold.inner, fold.inner, sum);
      const int64_t image_before = fold.before - 1 - at + fold.skipped;
      if (at >= fold.skipped && image_before >= 0) add(image_before);
      const int64_t from_end = fold.size - 1 - at - fold.skipped;
      if (from_end >= 0 && from_end < fold.after) add(fold.before + fold.size + from_end);
    }
  });
}

class MirrorPadGrad final : public Kernel {
  using Summed = decltype(IntegerTypes() + ComplexTypes() + Types<float, double>());

 public:
  explicit MirrorPadGrad(const Node& node) : type_(InputType(node, 0)), reflects_(Reflects(node)) {}
  void Run(KernelContext& context) override {
    context.Unalias(1);
    const Tensor& dy = context.input(0);
    const Amounts amounts(dy, context.input(1), reflects_);
    Dims dims;
    for (int axis = 0; axis < dy.rank(); ++axis) {
      int64_t size = 0;
      Require(!__builtin_sub_overflow(dy.dim(axis), amounts.before[axis], &size) &&
                  !__builtin_sub_overflow(size, amounts.after[axis], &size) && size > 0,
              "dimension ", axis, " of size ", dy.dim(axis), " does not hold its paddings");
      amounts.CheckFor(axis, size);
      dims.Append(size);
    }
    const Shape shape = dims.ToShape();
    if (shape == dy.shape()) return context.SetOutput(0, dy);  // R31
    context.CopyGuarded(0);
    Tensor sum = ToSumType(context.pool(), dy);
    for (int axis = 0; axis < dy.rank(); ++axis) sum = Folded(context.pool(), sum, amounts, axis);
    context.SetOutput(0, RoundedTo(context.pool(), type_, std::move(sum)));
  }
  bool KeepsAliases() const override { return true; }

 private:
  // Sums of 16-bit numbers are kept in float32 (N8).
  Tensor ToSumType(ThreadPool& pool, const Tensor& dy) const { return IsHalfWidth(type_) ? AsFloat(pool, dy) : dy; }

  static Tensor Folded(ThreadPool& pool, const Tensor& from, const Amounts& amounts, int axis) {
    if (amounts.before[axis] == 0 && amounts.after[axis] == 0) return from;
    Dims dims(from.shape());
    const int64_t size = dims[axis] - amounts.before[axis] - amounts.after[axis];
    const AxisFold fold = {.outer = ElementsIn(from.shape(), 0, axis),
                           .inner = ElementsIn(from.shape(), axis + 1, from.rank()),
                           .before = amounts.before[axis],
                           .size = size,
                           .after = amounts.after[axis],
                           .skipped = amounts.reflects ? 1 : 0};
    dims[axis] = size;
    Tensor to = Allocate(from.dtype(), dims.ToShape());
    VisitOneOf(Summed(), from.dtype(), false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      FoldAxis(pool, fold, static_cast<const T*>(from.raw()), static_cast<T*>(to.mutable_raw()));
      return true;
    });
    return to;
  }

  DType type_;
  bool reflects_;
};

constexpr KernelRow kRows[] = {
    {"MirrorPad", Make<MirrorPad>},
    {"MirrorPadGrad", Make<MirrorPadGrad>},
};

}  // namespace

std::span<const KernelRow> ArrayMirrorPad() { return kRows; }

}  // namespace plumb::fast::cpu
