// Values that the session keeps for later steps (S11).
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/session_tensors.h"
#include "fastpath/device/brought_here.h"
#include "fastpath/device/kernel.h"
#include "spec/core/device_name.h"

namespace plumb::fast::cpu {
namespace {

class SessionTensorKernel : public Kernel {
 public:
  explicit SessionTensorKernel(const Node& node) : node_(node.name) {}

 protected:
  static std::shared_ptr<SessionTensors> Kept(KernelContext& context) {
    return context.resources().FindOrCreate<SessionTensors>(SessionTensors::Key());
  }
  std::string HandleIn(KernelContext& context) const {
    const Tensor& handle = context.input(0);
    Require(handle.elements() == 1, "a handle is one string, not of shape ", Printed(handle.shape()));
    return handle.data<std::string>()[0];
  }

  const std::string node_;
};

// The full name of the node's device.
std::string DeviceOf(const Node& node) {
  DeviceName name = DeviceName::Parse(node.device);
  name.job = name.job.value_or("localhost");
  name.replica = name.replica.value_or(0);
  name.task = name.task.value_or(0);
  name.type = name.type.value_or("CPU");
  name.id = name.id.value_or(0);
  return name.ToString();
}

class GetSessionHandleKernel final : public SessionTensorKernel {
 public:
  explicit GetSessionHandleKernel(const Node& node) : SessionTensorKernel(node), device_(DeviceOf(node)) {}
  void Run(KernelContext& context) override {
    const std::string handle = Kept(context)->Keep(node_, device_, context.input(0));
    context.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>()[0] = handle;
  }
  bool KeepsAliases() const override { return true; }

 private:
  const std::string device_;
};

class GetSessionTensorKernel final : public SessionTensorKernel {
 public:
  explicit GetSessionTensorKernel(const Node& node) : SessionTensorKernel(node), type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const std::string handle = HandleIn(context);
    Tensor value = Kept(context)->Find(handle);
    Require(value.IsSet(), "The tensor with handle '", handle, "' is not in the session store.");
    if (value.dtype() != type_) {  // T5
      throw Internal("the tensor with handle '", handle, "' is of type ", DTypeName(value.dtype()), ", not ",
                     DTypeName(type_));
    }
    context.SetOutput(0, BroughtHere(value));
  }

 private:
  const DType type_;
};

class DeleteSessionTensorKernel final : public SessionTensorKernel {
 public:
  using SessionTensorKernel::SessionTensorKernel;
  void Run(KernelContext& context) override {
    const std::string handle = HandleIn(context);
    Require(Kept(context)->Remove(handle), "Failed to delete a tensor with handle '", handle,
            "' in the session store.");
  }
};

constexpr KernelRow kRows[] = {
    {"GetSessionHandle", Make<GetSessionHandleKernel>},
    {"GetSessionTensor", Make<GetSessionTensorKernel>},
    {"DeleteSessionTensor", Make<DeleteSessionTensorKernel>},
};

}  // namespace

std::span<const KernelRow> StateSessionTensor() { return kRows; }

}  // namespace plumb::fast::cpu
