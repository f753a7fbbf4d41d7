#include "fastpath/execute/reference_kernels.h"

namespace plumb::fast {
namespace {

// X36: the reference that a scalar index picks.
class RefSelectKernel : public Kernel {
 public:
  void Run(KernelContext& context) override {
    const Tensor& index = context.input(0);
    Require(index.rank() == 0, "the index of RefSelect must be a scalar, not of shape ", index.shape().ToString());
    const int32_t chosen = index.data<int32_t>()[0];
    Require(chosen >= 0 && chosen < context.num_inputs() - 1, "the index ", chosen, " of RefSelect must be in [0, ",
            context.num_inputs() - 1, ")");
    context.SetOutputRef(0, context.shared_ref(chosen + 1));
  }
};

std::unique_ptr<Kernel> MakeRefSelect(const Node&) { return std::make_unique<RefSelectKernel>(); }

}  // namespace

KernelFactory FindKernel(std::string_view op) { return op == "RefSelect" ? MakeRefSelect : FindCpuKernel(op); }

}  // namespace plumb::fast
