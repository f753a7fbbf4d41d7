#include "fastpath/compile/functions/turns_kernel.h"

namespace plumb::fast {
namespace {

class TurnsKernel final : public Kernel {
 public:
  explicit TurnsKernel(const std::string& call) : node_(call) {}

  void Run(KernelContext& context) override {
    const int64_t start = Scalar(context, 0, "start"), limit = Scalar(context, 1, "limit"),
                  delta = Scalar(context, 2, "delta");
    const bool leads = start == limit || (start < limit && delta > 0) || (start > limit && delta < 0);
    Require(leads, "the loop '", node_, "' cannot go from ", start, " to ", limit, " in steps of ", delta);
    const int64_t distance = limit > start ? limit - start : start - limit, step = delta > 0 ? delta : -delta;
    context.SetOutput(0, MakeScalar<int64_t>(distance == 0 ? 0 : (distance - 1) / step + 1));
  }

 private:
  int64_t Scalar(const KernelContext& context, int input, const char* what) const {
    const Tensor& value = context.input(input);
    Require(value.rank() == 0, "the ", what, " of the loop '", node_, "' has the shape ", value.shape().ToString(),
            "; it must be a scalar");
    return value.scalar<int32_t>();
  }

  const std::string node_;
};

class NextTurnKernel final : public Kernel {
 public:
  void Run(KernelContext& context) override {
    const int64_t at = context.input(0).scalar<int32_t>(), delta = context.input(2).scalar<int32_t>();
    context.SetOutput(0, MakeScalar(static_cast<int32_t>(at + delta)));  // beyond the last turn it may wrap around
    context.SetOutput(1, MakeScalar<int64_t>(context.input(1).scalar<int64_t>() - 1));
  }
};

}  // namespace

std::shared_ptr<Kernel> MakeTurnsKernel(const std::string& call) { return std::make_shared<TurnsKernel>(call); }

std::shared_ptr<Kernel> MakeNextTurnKernel() { return std::make_shared<NextTurnKernel>(); }

}  // namespace plumb::fast
