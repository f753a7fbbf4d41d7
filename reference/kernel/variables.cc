#include "reference/kernel/variables.h"

#include <cctype>

namespace plumb::reference {
namespace {

bool IsNameStart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.'; }
bool IsNamePart(char c) { return IsNameStart(c) || c == '-' || c == '/' || c == '_'; }

}  // namespace

std::string ContainerOf(const Node& node) {
  std::string container = GetAttrOr<std::string>(node.attrs, "container", "");
  if (container.empty()) return kDefaultContainer;
  bool valid = IsNameStart(container[0]);
  for (const char c : container) valid = valid && IsNamePart(c);
  Require(valid, "the container '", container, "' contains invalid characters");  // R2
  return container;
}

std::string SharedNameOf(const Node& node) {
  std::string name = GetAttrOr<std::string>(node.attrs, "shared_name", "");
  Require(name.empty() || name[0] != '_', "the shared_name '", name, "' may not start with '_'");  // R2
  return name;
}

const ResourceHandle& HandleInput(const OpContext& c, int i, std::string_view type_name) {
  const ResourceHandle& handle = c.tensor(i).scalar<ResourceHandle>();
  Require(handle.type_name == type_name, "input ", i, " is a handle to '", handle.name, "', which is a ",
          handle.type_name.empty() ? "nothing" : handle.type_name, ", not a ", type_name);
  return handle;
}

const ResourceHandle& ResourceInput(const OpContext& c, int i, std::string_view type_name) {
  const ResourceHandle& handle = HandleInput(c, i, type_name);
  Require(c.node.device.empty() || handle.device == c.node.device, "Trying to access resource ", handle.name,
          " located in device ", handle.device, " from device ", c.node.device);
  return handle;
}

ResourceStore& VariablesOf(OpContext& c, const ResourceHandle& handle) {
  return handle.container == kAnonymousContainer ? c.step : c.resources;
}

HandleVariable* FindVariable(OpContext& c, int i) {
  const ResourceHandle& handle = ResourceInput(c, i, kVariableType);
  return VariablesOf(c, handle).Find<HandleVariable>(NameIn(handle));
}

HandleVariable& GetVariable(OpContext& c, int i, Code if_absent) {
  if (HandleVariable* variable = FindVariable(c, i)) return *variable;
  const std::string& name = c.tensor(i).scalar<ResourceHandle>().name;
  throw Error(if_absent, Str("the resource variable '", name, "' of input ", i, " has not been assigned"));
}

}  // namespace plumb::reference
