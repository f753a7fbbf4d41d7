// Staging areas (Q71).
#include "fastpath/cpu/data_flow/stage_kernel.h"
#include "fastpath/cpu/lib/printed.h"

namespace plumb::fast::cpu {
namespace {

class AreaKernel : public StageKernel {
 public:
  using StageKernel::StageKernel;

 protected:
  std::shared_ptr<StagingArea> Area(KernelContext& context) const {
    auto area = context.resources().FindOrCreate<StagingArea>(name());
    area->Describe(name().name, limits());
    return area;
  }
};

class PutKernel final : public AreaKernel {
 public:
  using AreaKernel::AreaKernel;
  void Start(AsyncContext& context, Done done) override {
    Area(context)->Ask(context, std::move(done), {.act = StagingAct::kPut, .values = ValuesFrom(context, 0)});
  }
};

class TakeKernel final : public AreaKernel {
 public:
  using AreaKernel::AreaKernel;
  void Start(AsyncContext& context, Done done) override {
    Area(context)->Ask(context, std::move(done), {.act = StagingAct::kTake, .types = types()});
  }
};

class PeekKernel final : public AreaKernel {
 public:
  using AreaKernel::AreaKernel;
  void Start(AsyncContext& context, Done done) override {
    const Tensor& index = context.input(0);
    Require(index.rank() == 0, "node ", node(), ": index must be a scalar, not of shape ", Printed(index.shape()));
    Area(context)->Ask(context, std::move(done),
                       {.act = StagingAct::kPeek, .index = index.data<int32_t>()[0], .types = types()});
  }
};

class SizeKernel final : public AreaKernel {
 public:
  using AreaKernel::AreaKernel;
  void Start(AsyncContext& context, Done done) override {
    context.SetOutput(0, MakeScalar(static_cast<int32_t>(Area(context)->size())));
    done(OkStatus());
  }
};

class ClearKernel final : public AreaKernel {
 public:
  using AreaKernel::AreaKernel;
  void Start(AsyncContext& context, Done done) override {
    Area(context)->Clear();
    done(OkStatus());
  }
};

constexpr KernelRow kRows[] = {
    {"Stage", Make<PutKernel>},      {"Unstage", Make<TakeKernel>},     {"StagePeek", Make<PeekKernel>},
    {"StageSize", Make<SizeKernel>}, {"StageClear", Make<ClearKernel>},
};

}  // namespace

std::span<const KernelRow> DataFlowStage() { return kRows; }

}  // namespace plumb::fast::cpu
