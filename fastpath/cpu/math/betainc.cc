// Betainc.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/math/special_words.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// An operand, whose step is 0 if it is a scalar.
template <class T>
struct Operand {
  const T* at;
  int64_t step;
  explicit Operand(const Tensor& tensor) : at(tensor.data<T>().data()), step(tensor.rank() == 0 ? 0 : 1) {}
  T operator[](int64_t i) const { return at[i * step]; }
};

class Betainc final : public Kernel {
 public:
  explicit Betainc(const Node& node) : type_(InputType(node, 0)), grain_(GrainFor(node.op->cost)) {}

  void Run(KernelContext& context) override {
    Shape shape;
    for (int i = 0; i < 3; ++i) {
      const Shape& own = context.input(i).shape();
      if (own.rank() == 0) continue;
      Require(shape.rank() == 0 || shape == own, "operands that are no scalars must have one shape, not ",
              shape.ToString(), " and ", own.ToString());
      shape = own;
    }
    if (type_ == DType::kFloat) return RunAs<float>(context, shape);
    RunAs<double>(context, shape);
  }

 private:
  template <class T>
  void RunAs(KernelContext& context, const Shape& shape) const {
    const Operand<T> a(context.input(0)), b(context.input(1)), x(context.input(2));
    T* const z = context.AllocateOutput(0, type_, shape).mutable_data<T>().data();
    context.pool().ParallelFor(shape.elements(), grain_, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) z[i] = BetaincOf(a[i], b[i], x[i]);
    });
  }

  const DType type_;
  const int64_t grain_;
};

constexpr KernelRow kRows[] = {
    {"Betainc", Make<Betainc>},
};

}  // namespace

std::span<const KernelRow> MathBetainc() { return kRows; }

}  // namespace plumb::fast::cpu
