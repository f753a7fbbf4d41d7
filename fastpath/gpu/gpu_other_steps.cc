#include "fastpath/gpu/gpu_other_steps.h"

#include <exception>
#include <utility>

#include "fastpath/device/caught.h"
#include "fastpath/gpu/gpu_inside.h"
#include "fastpath/gpu/gpu_step.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class Giving final : public AsyncKernel {
 public:
  Giving(std::shared_ptr<Kernel> host, GpuDevice& device) : host_(std::move(host)), device_(device) {}

  void Start(AsyncContext& context, Done done) override {
    CopyAliases(context);
    device_.WhenDone(context.step().step_id, [this, &context, done = std::move(done)](const Status& status) {
      if (!status.ok()) return done(status);
      try {
        Give(context, done);
      } catch (const std::exception&) {
        done(CaughtStatus());
      }
    });
  }
  bool KeepsAliases() const override { return true; }

 private:
  void CopyAliases(AsyncContext& context) {
    Check(cudaSetDevice(device_.number()), "to choose a GPU");
    if (const auto step = std::static_pointer_cast<GpuStep>(device_.StepOf(context.step().step_id))) step->Launched();
    const GpuInside inside(device_);
    const InsideScope scope(inside);
    for (int i = 0; i < context.num_inputs(); ++i) context.Unalias(i);
  }

  // Here the kernel may wait for others, as one that nobody has parked yet.
  void Give(AsyncContext& context, const Done& done) {
    if (auto* const waits = dynamic_cast<AsyncKernel*>(host_.get())) return waits->Start(context, done);
    host_->Run(context);
    done(OkStatus());
  }

  const std::shared_ptr<Kernel> host_;
  GpuDevice& device_;
};

class Waiting final : public AsyncKernel {
 public:
  Waiting(std::shared_ptr<AsyncKernel> host, GpuDevice& device) : host_(std::move(host)), device_(device) {}

  void Start(AsyncContext& context, Done done) override {
    const GpuInside inside(device_);
    const InsideScope scope(inside);
    host_->Start(context, std::move(done));
  }

 private:
  const std::shared_ptr<AsyncKernel> host_;
  GpuDevice& device_;
};

}  // namespace

std::shared_ptr<Kernel> MakeGiving(std::shared_ptr<Kernel> host, GpuDevice& device) {
  return std::make_shared<Giving>(std::move(host), device);
}

std::shared_ptr<Kernel> MakeWaiting(std::shared_ptr<AsyncKernel> host, GpuDevice& device) {
  return std::make_shared<Waiting>(std::move(host), device);
}

}  // namespace plumb::fast::GPU_NAMESPACE
