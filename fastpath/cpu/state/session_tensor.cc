// Values that a session keeps from one step to the next (rule S11).
#include <unordered_map>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/variable_access.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class SessionTensors : public Resource {
 public:
  // The handle that is made of both ends and a number.
  std::string Keep(std::string_view node, std::string_view device, const Tensor& value) {
    MutexLock lock(mutex_);
    std::string handle = Str(node, ";", next_number_++, ";", device);
    values_.emplace(handle, value);
    return handle;
  }
  // Unset when there is none.
  Tensor Find(const std::string& handle) const {
    MutexLock lock(mutex_);
    const auto found = values_.find(handle);
    return found == values_.end() ? Tensor() : found->second;
  }
  bool Forget(const std::string& handle) {
    MutexLock lock(mutex_);
    return values_.erase(handle) > 0;
  }

 private:
  mutable Mutex mutex_;
  std::unordered_map<std::string, Tensor> values_ PLUMB_GUARDED_BY(mutex_);
  int64_t next_number_ PLUMB_GUARDED_BY(mutex_) = 0;
};

class SessionTensorKernel : public Kernel {
 public:
  explicit SessionTensorKernel(const Node& node) : node_(node.name) {}

 protected:
  static std::shared_ptr<SessionTensors> KeptBy(KernelContext& context) {
    return context.resources().FindOrCreate<SessionTensors>({"", "_session", "tensors"});
  }
  const std::string& HandleIn(const KernelContext& context) const {
    const Tensor& handle = context.input(0);
    Require(handle.rank() == 0, "node ", node_, ": the handle must be a scalar, not of shape ",
            Printed(handle.shape()));
    return handle.data<std::string>()[0];
  }

  const std::string node_;
};

class GetSessionHandleKernel : public SessionTensorKernel {
 public:
  explicit GetSessionHandleKernel(const Node& node) : SessionTensorKernel(node), device_(node.device) {}
  void Run(KernelContext& context) override {
    std::string handle = KeptBy(context)->Keep(node_, device_, Unaliased(context.input(0)));
    context.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>()[0] = std::move(handle);
  }

 private:
  const std::string device_;
};

class GetSessionTensorKernel : public SessionTensorKernel {
 public:
  explicit GetSessionTensorKernel(const Node& node) : SessionTensorKernel(node), dtype_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    Tensor value = KeptBy(context)->Find(HandleIn(context));
    Require(value.IsSet(), "node ", node_, ": the session keeps no tensor with the handle '", HandleIn(context), "'");
    if (value.dtype() != dtype_) {  // T5
      throw Internal("node ", node_, " wants ", DTypeName(dtype_), ", the session keeps ", DTypeName(value.dtype()));
    }
    context.SetOutput(0, std::move(value));
  }

 private:
  const DType dtype_;
};

class DeleteSessionTensorKernel : public SessionTensorKernel {
 public:
  using SessionTensorKernel::SessionTensorKernel;
  void Run(KernelContext& context) override {
    Require(KeptBy(context)->Forget(HandleIn(context)), "node ", node_,
            ": the session keeps no tensor with the handle '", HandleIn(context), "'");
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
