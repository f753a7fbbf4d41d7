// Handles to objects that hold nothing, and how these are made.
#include "fastpath/cpu/state/stub_resource.h"

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/named_resource.h"

namespace plumb::fast::cpu {
namespace {

// Without a shared name it names the empty string, as a variable's handle does.
class MakeHandleKernel final : public Kernel {
 public:
  explicit MakeHandleKernel(const Node& node) : handle_(node, ResourceNameOf(node, ""), kStubTypeName) {}
  void Run(KernelContext& context) override { handle_.Set(context); }

 private:
  const HandleOutput handle_;
};

class CreateKernel final : public Kernel {
 public:
  explicit CreateKernel(const Node& node) : device_(node.device) {}
  void Run(KernelContext& context) override {
    const ResourceHandle& handle = HandleOn(device_, context.input(0), kStubTypeName);
    const auto stub = context.resources().FindOrCreate<StubObject>({handle.device, handle.container, handle.name});
    if (stub->Make()) return;
    throw AlreadyExists("there is a resource '", handle.name, "' in the container '", handle.container, "' already");
  }

 private:
  const std::string device_;
};

constexpr KernelRow kRows[] = {
    {"StubResourceHandleOp", Make<MakeHandleKernel>},
    {"ResourceCreateOp", Make<CreateKernel>},
};

}  // namespace

std::span<const KernelRow> StateStubResource() { return kRows; }

}  // namespace plumb::fast::cpu
