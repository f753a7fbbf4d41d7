// Softmax and its logarithm, over the last axis.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/reduction/softmax_loops.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class Softmax final : public Kernel {
 public:
  explicit Softmax(const Node& node) : type_(InputType(node, 0)) {
    const SoftmaxLoops loops = FindSoftmaxLoops(ComputeType(type_));
    loop_ = node.IsOp("LogSoftmax") ? loops.log_softmax : loops.softmax;
  }

  void Run(KernelContext& context) override {
    const Tensor& logits = context.input(0);
    Require(logits.rank() >= 1, "logits must have at least one dimension");
    const Shape shape = logits.shape();
    if (!IsHalfWidth(type_)) {
      const char* from = static_cast<const char*>(logits.raw());
      return RunRows(context.pool(), from, context.ForwardOrAllocate(0, 0, type_, shape));
    }
    Tensor values = AsFloat(context.pool(), logits);
    RunRows(context.pool(), static_cast<const char*>(values.raw()), values);
    RoundInto(context.pool(), values, context.AllocateOutput(0, type_, shape));
  }

 private:
  void RunRows(ThreadPool& pool, const char* from, Tensor& to) const {
    if (to.elements() == 0) return;
    const int64_t n = to.dim(to.rank() - 1), bytes = n * static_cast<int64_t>(ElementSize(to.dtype()));
    char* out = static_cast<char*>(to.mutable_raw());
    pool.ParallelFor(to.elements() / n, GrainFor(kSoftmaxWork * n), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) loop_(from + row * bytes, out + row * bytes, n);
    });
  }

  DType type_;
  void (*loop_)(const void* x, void* y, int64_t n);
};

constexpr KernelRow kRows[] = {
    {"Softmax", Make<Softmax>},
    {"LogSoftmax", Make<Softmax>},
};

}  // namespace

std::span<const KernelRow> ActivationSoftmax() { return kRows; }

}  // namespace plumb::fast::cpu
