// Finding variables: by the attributes of a ref variable's node, and by the handle of a resource variable.
#pragma once

#include <memory>
#include <string>

#include "reference/kernel/op_context.h"

namespace plumb::reference {

// R1, R2: the container attribute of a node, the default one if it is empty.
std::string ContainerOf(const Node& node);

// R2, R3: the shared_name attribute of a node, empty if it has none.
std::string SharedNameOf(const Node& node);

// What handles to variables call their type.
inline constexpr char kVariableType[] = "Var";

// Of the variables that live as long as the step (R40).
inline constexpr char kAnonymousContainer[] = "_anonymous";
inline ResourceName NameIn(const ResourceHandle& handle) { return {handle.device, handle.container, handle.name}; }
// Where the variable that a handle names is, if there is one.
ResourceStore& VariablesOf(OpContext& c, const ResourceHandle& handle);

// R7: the handle that input `i` carries; kInvalidArgument when it names another kind of resource.
const ResourceHandle& HandleInput(const OpContext& c, int i, std::string_view type_name);
// The same, of a resource that outlives the step; kInvalidArgument when it is on another device than the node. A node
// that nobody has placed takes it from anywhere.
const ResourceHandle& ResourceInput(const OpContext& c, int i, std::string_view type_name);

// The variable that input `i` names, or null when nobody has assigned it yet (rule R40).
HandleVariable* FindVariable(OpContext& c, int i);
// The same; throws `if_absent` when there is none: kNotFound for most ops, kInternal for optimizers (rule R46).
HandleVariable& GetVariable(OpContext& c, int i, Code if_absent = Code::kNotFound);

}  // namespace plumb::reference
