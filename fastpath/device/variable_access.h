// How kernels find variables: by names and by handles.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "fastpath/device/kernel.h"

namespace plumb::fast {

// Where a node's resource lives (rules R1–R3). Throws kInvalidArgument for names outside the grammar of R2.
struct ResourceName {
  std::string device;
  std::string container;
  std::string name;
  operator ResourceKey() const { return {device, container, name}; }  // NOLINT(google-explicit-constructor)
};
ResourceName ResourceNameOf(const Node& node, std::string_view name_if_not_shared);

// Finds the variable behind a handle; remembers the last one, so that a repeated step pays a comparison.
class VariableLookup {
 public:
  // For a kernel on this device.
  explicit VariableLookup(std::string device) : device_(std::move(device)) {}
  // Null when nothing was assigned yet.
  std::shared_ptr<ResourceVariable> Find(KernelContext& context, const Tensor& handle);
  std::shared_ptr<ResourceVariable> FindOrCreate(KernelContext& context, const Tensor& handle);

 private:
  std::shared_ptr<ResourceVariable> Remembered(const Tensor& handle);
  std::shared_ptr<ResourceVariable> Remember(const Tensor& handle, std::shared_ptr<ResourceVariable> variable);

  const std::string device_;
  Mutex mutex_;
  Tensor handle_ PLUMB_GUARDED_BY(mutex_);
  RememberedResource<ResourceVariable> variable_ PLUMB_GUARDED_BY(mutex_);
};

// R47: whether there was one to be taken out of its container.
bool RemoveVariable(KernelContext& context, const ResourceHandle& handle);

// Of the variables that live as long as the step (R40).
inline constexpr const char* kAnonymousContainer = "_anonymous";

// The type name that handles of variables carry (rule R7).
inline constexpr const char* kVariableTypeName = "Var";

// The one handle in `tensor`, of the given type (rule R7); else kInvalidArgument.
const ResourceHandle& HandleIn(const Tensor& tensor, std::string_view type_name);
// R7: the same, to what lies on the device that the node runs on. One that nobody has placed takes it from anywhere.
const ResourceHandle& HandleOn(const std::string& device, const Tensor& tensor, std::string_view type_name);

}  // namespace plumb::fast
