// Staging areas (Q71).
#include <algorithm>
#include <exception>

#include "fastpath/cpu/data_flow/stage_kernel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/brought_here.h"
#include "fastpath/device/caught.h"
#include "fastpath/memory/inside.h"

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

// What a device has staged comes to the host, where that asks for it: on a thread of the pool, as the copy is waited
// for.
void BringToHost(AsyncContext& context, LineAnswer answer, AsyncKernel::Done done) {
  if (std::all_of(answer.outputs.begin(), answer.outputs.end(), IsOnHost)) {
    return SetOutputs(context, std::move(answer), std::move(done));
  }
  context.pool().Schedule([&context, answer = std::move(answer), done = std::move(done)]() mutable {
    try {
      for (Tensor& value : answer.outputs) value = LockedOnHost(value);
    } catch (const std::exception&) {
      return done(CaughtStatus());
    }
    SetOutputs(context, std::move(answer), std::move(done));
  });
}

// For a kernel of the host; one that runs for a device takes what is staged as it is.
TakeAnswer TakeHere() { return Inside::Current() == nullptr ? BringToHost : SetOutputs; }

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
    Area(context)->Ask(context, std::move(done), {.act = StagingAct::kTake, .types = types()}, TakeHere());
  }
};

class PeekKernel final : public AreaKernel {
 public:
  using AreaKernel::AreaKernel;
  void Start(AsyncContext& context, Done done) override {
    const Tensor& index = context.input(0);
    Require(index.rank() == 0, "index must be a scalar, not of shape ", Printed(index.shape()));
    Area(context)->Ask(context, std::move(done),
                       {.act = StagingAct::kPeek, .index = index.data<int32_t>()[0], .types = types()}, TakeHere());
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
