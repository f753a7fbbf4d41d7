// Diag and DiagPart: tensors on the diagonal of tensors of twice their rank.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class Diag final : public Kernel {
 public:
  explicit Diag(const Node& node) : type_(InputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    Require(x.rank() >= 1, "the diagonal must have one dimension at least");
    Dims dims;
    for (int half = 0; half < 2; ++half) {
      for (int axis = 0; axis < x.rank(); ++axis) dims.Append(x.dim(axis));
    }
    Tensor& output = context.AllocateOutput(0, type_, dims.ToShape());
    FillZero(context.pool(), output);
    CopyPlan plan;
    plan.Append(x.elements(), 1, x.elements() + 1);
    CopyStrided(context.pool(), type_, plan, x.raw(), output.mutable_raw());
  }

 private:
  DType type_;
};

class DiagPart final : public Kernel {
 public:
  explicit DiagPart(const Node& node) : type_(InputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    Require(x.rank() % 2 == 0, "the input must have an even number of dimensions, not the shape ",
            x.shape().ToString());
    const int half = x.rank() / 2;
    Dims dims;
    for (int axis = 0; axis < half; ++axis) {
      Require(x.dim(axis) == x.dim(half + axis), "dimensions ", axis, " and ", half + axis, " of the shape ",
              x.shape().ToString(), " must be equal");
      dims.Append(x.dim(axis));
    }
    Tensor& output = context.AllocateOutput(0, type_, dims.ToShape());
    CopyPlan plan;
    plan.Append(output.elements(), output.elements() + 1, 1);
    CopyStrided(context.pool(), type_, plan, x.raw(), output.mutable_raw());
  }

 private:
  DType type_;
};

constexpr KernelRow kRows[] = {
    {"Diag", Make<Diag>},
    {"DiagPart", Make<DiagPart>},
};

}  // namespace

std::span<const KernelRow> ArrayDiag() { return kRows; }

}  // namespace plumb::fast::cpu
