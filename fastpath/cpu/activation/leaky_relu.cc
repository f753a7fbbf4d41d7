// Leaky rectifiers: one loop, whose first operand is what is let through where the second is positive, else its alphath
// part. LeakyRelu is the case of equal operands.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/simd_targets.h"
#include "fastpath/device/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/activation/leaky_relu.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/elementwise/formula_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

// out[i] = gate[i] > 0 ? x[i] : alpha·x[i]. out may be x.
template <class T>
void Leak(const void* x, const void* gate, void* out, int64_t n, float alpha) {
  const T *from = static_cast<const T*>(x), *by = static_cast<const T*>(gate);
  const hn::ScalableTag<T> d;
  const auto part = hn::Set(d, static_cast<T>(alpha)), zero = hn::Zero(d);
  NoteTail<T>(n);
  MapVectors(static_cast<T*>(out), n, [=](auto load) HWY_ATTR {
    const auto value = load(from);
    return hn::IfThenElse(hn::Lt(zero, load(by)), value, hn::Mul(value, part));
  });
}

using LeakLoop = void (*)(const void*, const void*, void*, int64_t, float);
LeakLoop LeakLoopFor(DType type) { return type == DType::kDouble ? Leak<double> : Leak<float>; }

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {
namespace {

HWY_EXPORT(LeakLoopFor);

// As an element of this type.
float AlphaOf(const Node& node, DType type) {
  float alpha = GetAttr<float>(node.attrs, "alpha");
  if (!IsHalfWidth(type)) return alpha;
  uint16_t narrow = 0;
  FromFloat(type, &alpha, &narrow, 1);
  ToFloat(type, &narrow, &alpha, 1);
  return alpha;
}

constinit ChoicePoint half_pieces("leaky rectifier of 16 bits: one piece, or several");

class LeakyRelu final : public Kernel {
 public:
  explicit LeakyRelu(const Node& node)
      : type_(InputType(node, 0)),
        gate_(static_cast<int>(node.input_types.size()) - 1),
        alpha_(AlphaOf(node, type_)),
        loop_(HWY_DYNAMIC_DISPATCH(LeakLoopFor)(ComputeType(type_))) {}

  void Run(KernelContext& context) override {
    const Tensor &x = context.input(0), &gate = context.input(gate_);
    Require(x.shape() == gate.shape(), "gradients and features must have one shape, not ", x.shape().ToString(),
            " and ", gate.shape().ToString());
    const char *from = static_cast<const char*>(x.raw()), *by = static_cast<const char*>(gate.raw());
    const Shape shape = x.shape();
    const auto size = static_cast<int64_t>(ElementSize(type_));
    char* to = static_cast<char*>(context.ForwardOrAllocate(0, 0, type_, shape).mutable_raw());
    context.pool().ParallelFor(shape.elements(), GrainFor(1), [&](int64_t begin, int64_t end) {
      Apply(from + begin * size, by + begin * size, to + begin * size, end - begin);
    });
  }

 private:
  void Apply(const char* x, const char* gate, char* out, int64_t n) const {
    if (!IsHalfWidth(type_)) return loop_(x, gate, out, n, alpha_);
    float values[kFloatPiece], gates[kFloatPiece];
    half_pieces.Chosen(n > kFloatPiece);
    for (int64_t i = 0; i < n; i += kFloatPiece) {
      const int64_t count = std::min(kFloatPiece, n - i);
      ToFloat(type_, x + 2 * i, values, count);
      ToFloat(type_, gate + 2 * i, gates, count);
      loop_(values, gates, values, count, alpha_);
      FromFloat(type_, values, out + 2 * i, count);
    }
  }

  const DType type_;
  const int gate_;
  const float alpha_;
  void (*const loop_)(const void*, const void*, void*, int64_t, float);
};

constexpr KernelRow kRows[] = {
    {"LeakyRelu", Make<LeakyRelu>},
    {"LeakyReluGrad", Make<LeakyRelu>},
};

}  // namespace

std::span<const KernelRow> ActivationLeakyRelu() { return kRows; }

}  // namespace plumb::fast::cpu
#endif
