// Handles to objects that live in containers (rules R1–R7), in both forms: a handle, or a reference to the strings
// (container, name), as older ops have it (rule Q5).
#pragma once

#include <string>
#include <utility>

#include "reference/kernel/variables.h"

namespace plumb::reference {

// R2, R3: where the object of this node lives. Without a shared name it is the node's own, under a name that no shared
// name can be.
inline ResourceName NameOf(const Node& node) {
  const std::string shared_name = SharedNameOf(node);
  return {node.device, ContainerOf(node), shared_name.empty() ? "_" + node.name : shared_name};
}

// Gives output 0 a handle, in the form that the op's signature asks for.
inline void OutputHandle(OpContext& c, const ResourceName& name, std::string_view type_name) {
  if (IsRef(c.node.output_types[0])) {
    auto strings = std::make_shared<Variable>();
    strings->Declare(DType::kString, {2});
    strings->Assign(MakeVector<std::string>({name.container, name.name}));
    c.outputs[0].ref = std::move(strings);
    return;
  }
  ResourceHandle handle;
  handle.device = name.device;
  handle.container = name.container;
  handle.name = name.name;
  handle.type_name = type_name;
  c.Output(0, MakeScalar(std::move(handle)));
}

// What the handle at an input names, the first one where nothing else is said.
inline ResourceName NamedBy(const OpContext& c, std::string_view type_name, int input = 0) {
  const Tensor& tensor = c.tensor(input);
  if (tensor.dtype() == DType::kResource) return NameIn(ResourceInput(c, input, type_name));
  Require(tensor.elements() == 2, "a handle to a ", type_name, " has two strings, not shape ",
          tensor.shape().ToString());
  return {c.node.device, tensor.data<std::string>()[0], tensor.data<std::string>()[1]};
}

}  // namespace plumb::reference
