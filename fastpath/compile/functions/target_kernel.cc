#include "fastpath/compile/functions/target_kernel.h"

#include <algorithm>

#include "spec/core/device_name.h"

namespace plumb::fast {
namespace {

class TargetKernel final : public Kernel {
 public:
  TargetKernel(const std::string& call, const std::vector<std::string>& devices) : node_(call) {
    for (const std::string& device : devices) devices_.push_back(DeviceName::Parse(device));
  }

  void Run(KernelContext& context) override {
    const Tensor& target = context.input(0);
    Require(target.elements() == 1, "the target of '", node_, "' has the shape ", target.shape().ToString(),
            "; it must have one element");
    const std::string& name = target.data<std::string>()[0];
    const DeviceName wanted = DeviceName::Parse(name);
    Require(
        std::any_of(devices_.begin(), devices_.end(), [&](const DeviceName& each) { return wanted.Describes(each); }),
        "the target of '", node_, "' is '", name, "', which no device of the session is");
  }

 private:
  const std::string node_;
  std::vector<DeviceName> devices_;
};

}  // namespace

std::shared_ptr<Kernel> MakeTargetKernel(const std::string& call, const std::vector<std::string>& devices) {
  return std::make_shared<TargetKernel>(call, devices);
}

}  // namespace plumb::fast
