#include "fastpath/accelerator/swap.h"

#include <exception>
#include <utility>
#include <vector>

#include "fastpath/device/async_kernel.h"
#include "fastpath/device/caught.h"

namespace plumb::fast {
namespace {

bool IsOnStack(const Node& node) { return !node.op->inputs.empty() && node.op->inputs[0].handle == "Stack"; }

// The one output of a host's kernel, run in the place of a call: with `value`, if set, for its second input.
Tensor RunOnHost(Kernel& kernel, const std::string& node, KernelContext& call, const Tensor& value) {
  std::vector<Entry> inputs = {{call.input(0), call.shared_ref(0)}};
  if (value.IsSet()) inputs.push_back({value, nullptr});
  Entry output;
  KernelContext inner(call.step(), inputs.data(), static_cast<int>(inputs.size()), &output, 1, &node, &call.place());
  kernel.Run(inner);
  return output.tensor;
}

// A copy cannot be taken back; its answer comes soon.
bool ParkForCopy(AsyncContext& context, const AsyncKernel::Done& done) {
  if (context.Park("a copy between its device and the host", [] {})) return true;
  done(Status(Code::kCancelled, "the step was stopped"));
  return false;
}

class PushToHost final : public AsyncKernel {
 public:
  PushToHost(std::shared_ptr<Kernel> on_host, std::shared_ptr<Kernel> on_device, const Node& node, Accelerator& device)
      : on_host_(std::move(on_host)), on_device_(std::move(on_device)), node_(node.name), device_(device) {}

  void Start(AsyncContext& context, Done done) override {
    Tensor value = context.input(1);
    if (value.is_alias() || IsOnHost(value)) return StartOnDevice(context, std::move(done));
    if (!ParkForCopy(context, done)) return;
    device_.CopyToHost(context.step().step_id, value,
                       [this, &context, value, done = std::move(done)](const Status& status, const Tensor& copy) {
                         done(status.ok() ? Keep(context, copy, value) : status);
                       });
  }
  bool KeepsAliases() const override { return true; }

 private:
  void StartOnDevice(AsyncContext& context, Done done) {
    if (auto* const async = dynamic_cast<AsyncKernel*>(on_device_.get())) {
      return async->Start(context, std::move(done));
    }
    on_device_->Run(context);
    done(OkStatus());
  }

  Status Keep(AsyncContext& context, const Tensor& copy, const Tensor& value) {
    try {
      RunOnHost(*on_host_, node_, context, copy);
    } catch (const std::exception&) {
      return CaughtStatus();
    }
    context.SetOutput(0, value);
    return OkStatus();
  }

  const std::shared_ptr<Kernel> on_host_, on_device_;
  const std::string node_;
  Accelerator& device_;
};

class Pop final : public AsyncKernel {
 public:
  Pop(std::shared_ptr<Kernel> on_host, const Node& node, Accelerator& device)
      : on_host_(std::move(on_host)), node_(node.name), device_(device) {}

  void Start(AsyncContext& context, Done done) override {
    Tensor value = RunOnHost(*on_host_, node_, context, Tensor());
    if (!IsOnHost(value) || !IsPlain(value.dtype())) {
      context.SetOutput(0, std::move(value));
      return done(OkStatus());
    }
    if (!ParkForCopy(context, done)) return;
    device_.CopyFromHost(std::move(value), [&context, done = std::move(done)](const Status& status, Tensor copy) {
      if (status.ok()) context.SetOutput(0, std::move(copy));
      done(status);
    });
  }

 private:
  const std::shared_ptr<Kernel> on_host_;
  const std::string node_;
  Accelerator& device_;
};

}  // namespace

bool PushesToHost(const Node& node) { return IsOnStack(node) && GetAttrOr<bool>(node.attrs, "swap_memory", false); }

std::shared_ptr<Kernel> MakePushToHost(std::shared_ptr<Kernel> on_host, std::shared_ptr<Kernel> on_device,
                                       const Node& node, Accelerator& device) {
  return std::make_shared<PushToHost>(std::move(on_host), std::move(on_device), node, device);
}

bool Pops(const Node& node) { return IsOnStack(node) && node.op->inputs.size() == 1 && node.op->outputs.size() == 1; }

std::shared_ptr<Kernel> MakePop(std::shared_ptr<Kernel> on_host, const Node& node, Accelerator& device) {
  return std::make_shared<Pop>(std::move(on_host), node, device);
}

}  // namespace plumb::fast
