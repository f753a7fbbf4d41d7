#include "fastpath/device/variable_access.h"

#include <algorithm>
#include <cctype>

namespace plumb::fast {
namespace {

bool IsContainerName(const std::string& text) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '.'; };
  if (text.empty()) return true;
  return plain(text[0]) && std::all_of(text.begin(), text.end(),
                                       [&](unsigned char c) { return plain(c) || c == '-' || c == '/' || c == '_'; });
}

ResourceKey KeyOf(const ResourceHandle& handle) { return {handle.device, handle.container, handle.name}; }

ResourceManager& VariablesOf(KernelContext& context, const ResourceHandle& handle) {
  return handle.container == kAnonymousContainer ? context.step_resources() : context.resources();
}

}  // namespace

ResourceName ResourceNameOf(const Node& node, std::string_view name_if_not_shared) {
  ResourceName result;
  result.device = node.device;
  result.container = GetAttrOr<std::string>(node.attrs, "container", "");
  result.name = GetAttrOr<std::string>(node.attrs, "shared_name", "");
  Require(IsContainerName(result.container), "node ", node.name, ": container \"", result.container,
          "\" has characters that a container name may not have");
  Require(result.name.empty() || result.name[0] != '_', "node ", node.name, ": shared_name \"", result.name,
          "\" may not start with '_'");
  if (result.container.empty()) result.container = "localhost";
  if (result.name.empty()) result.name = name_if_not_shared;
  return result;
}

const ResourceHandle& HandleIn(const Tensor& tensor, std::string_view type_name) {
  if (tensor.dtype() != DType::kResource || tensor.elements() != 1) {
    throw InvalidArgument("a single resource handle is needed, not ", DTypeName(tensor.dtype()),
                          tensor.shape().ToString());
  }
  const ResourceHandle& handle = tensor.data<ResourceHandle>()[0];
  Require(handle.type_name == type_name, "the handle of ", handle.container, "/", handle.name, " is of type ",
          handle.type_name, ", but ", type_name, " is needed");
  return handle;
}

const ResourceHandle& HandleOn(const std::string& device, const Tensor& tensor, std::string_view type_name) {
  const ResourceHandle& handle = HandleIn(tensor, type_name);
  Require(device.empty() || handle.device == device, "Trying to access resource ", handle.container, "/", handle.name,
          " located in device ", handle.device, " from device ", device);
  return handle;
}

std::shared_ptr<ResourceVariable> VariableLookup::Remembered(const Tensor& handle) {
  MutexLock lock(mutex_);
  if (handle_.buffer() == nullptr || handle_.buffer() != handle.buffer()) return nullptr;
  return variable_.lock();
}

std::shared_ptr<ResourceVariable> VariableLookup::Remember(const Tensor& handle,
                                                           std::shared_ptr<ResourceVariable> variable) {
  MutexLock lock(mutex_);
  handle_ = handle;
  variable_ = variable;
  return variable;
}

std::shared_ptr<ResourceVariable> VariableLookup::Find(KernelContext& context, const Tensor& handle) {
  if (auto variable = Remembered(handle)) return variable;
  const ResourceHandle& name = HandleOn(device_, handle, kVariableTypeName);
  return Remember(handle, VariablesOf(context, name).Find<ResourceVariable>(KeyOf(name)));
}

std::shared_ptr<ResourceVariable> VariableLookup::FindOrCreate(KernelContext& context, const Tensor& handle) {
  if (auto variable = Remembered(handle)) return variable;
  const ResourceHandle& name = HandleOn(device_, handle, kVariableTypeName);
  return Remember(handle, VariablesOf(context, name).FindOrCreate<ResourceVariable>(KeyOf(name)));
}

bool RemoveVariable(KernelContext& context, const ResourceHandle& handle) {
  return VariablesOf(context, handle).Remove<ResourceVariable>(KeyOf(handle));
}

}  // namespace plumb::fast
