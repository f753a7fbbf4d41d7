// Handles to objects that hold nothing, and how these are made.
#include "reference/kernel/op_context.h"
#include "reference/kernel/variables.h"
#include "reference/state/stub.h"

namespace plumb::reference {
namespace {

// Without a shared name it names the empty string, as a variable's handle does.
void StubResourceHandleOp(OpContext& c) {
  ResourceHandle handle;
  handle.device = c.node.device;
  handle.container = ContainerOf(c.node);
  handle.name = SharedNameOf(c.node);
  handle.type_name = kStubType;
  c.Output(0, MakeScalar(std::move(handle)));
}

void ResourceCreateOp(OpContext& c) {
  const ResourceName name = NameIn(ResourceInput(c, 0, kStubType));
  if (c.resources.Find<Stub>(name) != nullptr) {
    throw AlreadyExists("there is a resource '", name.name, "' in the container '", name.container, "' already");
  }
  c.resources.FindOrCreate<Stub>(name);
}

constexpr KernelRow kRows[] = {
    {"StubResourceHandleOp", StubResourceHandleOp},
    {"ResourceCreateOp", ResourceCreateOp},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StateStubResource() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
