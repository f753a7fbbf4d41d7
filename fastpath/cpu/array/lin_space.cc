// LinSpace.
#include "fastpath/cpu/array/step_loops.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class LinSpace final : public Kernel {
 public:
  explicit LinSpace(const Node& node) : type_(InputType(node, 0)) {}

  void Run(KernelContext& context) override {
    for (int i = 0; i < 3; ++i) {
      Require(context.input(i).rank() == 0, "start, stop and num must be scalars, not of shape ",
              context.input(i).shape().ToString());
    }
    const int64_t num = IntAt(context.input(2), 0);
    Require(num > 0, "num must be positive, not ", num);
    if (type_ == DType::kFloat) return RunAs<float>(context, num);
    RunAs<double>(context, num);
  }

 private:
  template <class T>
  void RunAs(KernelContext& context, int64_t num) const {
    const T start = context.input(0).scalar<T>(), stop = context.input(1).scalar<T>();
    T* const to = context.AllocateOutput(0, type_, Shape({num})).mutable_data<T>().data();
    const T step = num > 1 ? (stop - start) / static_cast<T>(num - 1) : T(0);
    context.pool().ParallelFor(
        num, GrainFor(1), [=](int64_t begin, int64_t end) { PutSteps(start, step, begin, end - begin, to + begin); });
    to[0] = start;
    if (num > 1) to[num - 1] = stop;
  }

  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"LinSpace", Make<LinSpace>},
};

}  // namespace

std::span<const KernelRow> ArrayLinSpace() { return kRows; }

}  // namespace plumb::fast::cpu
