// Diag and DiagPart: tensors on the diagonal of tensors of twice their rank.
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class Diag final : public GpuKernel {
 public:
  explicit Diag(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor x = context.input(0);
    Tensor out = context.AllocateOutput(0, context.OutputShape(0));
    context.Clear(out);
    CopyRows(context, {x.elements(), 1, 1, x.elements() + 1}, x, 0, out, 0);
  }
};

class DiagPart final : public GpuKernel {
 public:
  explicit DiagPart(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor x = context.input(0);
    // A scalar is its own diagonal, of which the row's rule does not know.
    Tensor out = context.AllocateOutput(0, x.rank() == 0 ? Shape() : context.OutputShape(0));
    CopyRows(context, {out.elements(), 1, out.elements() + 1, 1}, x, 0, out, 0);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"Diag", Make<Diag>},
    {"DiagPart", Make<DiagPart>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayDiag() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
