// Axes in another order.
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/int_vector.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// The imaginary parts with the other sign.
template <class T>
void Conjugate(ThreadPool& pool, Tensor& tensor) {
  T* const parts = static_cast<T*>(tensor.mutable_raw());
  pool.ParallelFor(tensor.elements(), GrainFor(1), [parts](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) parts[2 * i + 1] = -parts[2 * i + 1];
  });
}

class Transpose final : public Kernel {
 public:
  Transpose(const Node& node, bool conjugates)
      : type_(InputType(node, 0)), conjugates_(conjugates && IsComplex(type_)), hands_on_(!conjugates) {}
  void Run(KernelContext& context) override {
    const Tensor &x = context.input(0), &perm = context.input(1);
    Require(perm.rank() == 1 && perm.elements() == x.rank(), "perm must hold ", x.rank(), " axes, not have the shape ",
            perm.shape().ToString());
    Dims dims;
    bool seen[kMaxRank] = {};
    int order[kMaxRank], last = -1;
    bool in_order = true;  // axes of one element may go anywhere without moving anything
    for (int i = 0; i < x.rank(); ++i) {
      const int64_t named = IntAt(perm, i);
      Require(named >= 0 && named < x.rank(), "perm[", i, "] = ", named, " is not in [0, ", x.rank(), ")");
      const int axis = static_cast<int>(named);
      Require(!seen[axis], axis, " occurs twice in perm");
      seen[axis] = true;
      order[i] = axis;
      dims.Append(x.dim(axis));
      if (x.dim(axis) == 1) continue;
      in_order &= axis > last;
      last = axis;
    }
    const Shape shape = dims.ToShape();
    if (in_order && !conjugates_) return context.SetOutput(0, (hands_on_ ? x : Unaliased(x)).Reshaped(shape));  // R31
    context.CopyGuarded(0);
    Tensor& output = context.AllocateOutput(0, type_, shape);
    if (shape.elements() == 0) return;
    const Strides from(x.shape()), to(shape);
    CopyPlan plan;
    for (int i = 0; i < x.rank(); ++i) plan.Append(x.dim(order[i]), from[order[i]], to[i]);
    CopyStrided(context.pool(), type_, plan, x.raw(), output.mutable_raw());
    if (!conjugates_) return;
    if (type_ == DType::kComplex64) {
      Conjugate<float>(context.pool(), output);
    } else {
      Conjugate<double>(context.pool(), output);
    }
  }
  bool KeepsAliases() const override { return true; }

 private:
  DType type_;
  bool conjugates_;
  bool hands_on_;
};

class InvertPermutation final : public Kernel {
 public:
  explicit InvertPermutation(const Node& node) : type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    Require(x.rank() == 1, "a permutation must be a vector, not of shape ", x.shape().ToString());
    if (type_ == DType::kInt32) return Invert<int32_t>(x, context.AllocateOutput(0, type_, x.shape()));
    Invert<int64_t>(x, context.AllocateOutput(0, type_, x.shape()));
  }

 private:
  template <class T>
  static void Invert(const Tensor& x, Tensor& inverse) {
    const T* const from = x.data<T>().data();
    T* const places = inverse.mutable_data<T>().data();
    const int64_t n = x.elements();
    std::fill_n(places, n, T(-1));
    for (int64_t i = 0; i < n; ++i) {
      const T to = from[i];
      Require(to >= 0 && to < n, to, " is not in [0, ", n, ")");
      Require(places[to] < 0, to, " occurs twice in the permutation");
      places[to] = static_cast<T>(i);
    }
  }

  DType type_;
};

constexpr KernelRow kRows[] = {
    {"Transpose", MakeWith<Transpose, false>},
    {"ConjugateTranspose", MakeWith<Transpose, true>},
    {"InvertPermutation", Make<InvertPermutation>},
};

}  // namespace

std::span<const KernelRow> ArrayTranspose() { return kRows; }

}  // namespace plumb::fast::cpu
