// What the ops on staging areas and maps share (rules Q71–Q75).
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/kernel/variables.h"
#include "reference/state/staging.h"

namespace plumb::reference {

inline StagingLimits LimitsOf(const Node& node) {
  return {GetAttr<int64_t>(node.attrs, "capacity"), GetAttr<int64_t>(node.attrs, "memory_limit")};
}
inline void CheckLimits(const Node& node) {
  const StagingLimits limits = LimitsOf(node);
  Require(limits.elements >= 0 && limits.bytes >= 0, "capacity and memory_limit must not be negative");
}

// The node's object, which its attributes name; without a shared name it has that of the node.
template <class T>
std::shared_ptr<T> Staged(OpContext& c) {
  const std::string shared_name = SharedNameOf(c.node);
  const ResourceName name{c.node.device, ContainerOf(c.node), shared_name.empty() ? c.node.name : shared_name};
  T& found = c.resources.FindOrCreate<T>(name);
  // The attempt was made at one that is gone, though there may be another one in its place.
  if (c.resumed && !found.Has(c.execution)) throw NotFound("nothing is staged under '", name.name, "' any more");
  if (found.name.empty()) found.name = name.name;
  return c.resources.Share<T>(name);
}

// What the attempt came to. Nothing: it waits.
template <class T, class Request>
std::optional<std::vector<Value>> Answered(OpContext& c, const std::shared_ptr<T>& object, Request request) {
  if (!c.resumed) object->Ask(c.execution, std::move(request));
  if (!object->IsServed(c.execution)) {
    c.Park(object);
    return std::nullopt;
  }
  LineAnswer answer = object->Fetch(c.execution);
  if (!answer.status.ok()) throw Error(answer.status);
  return std::move(answer.values);
}

// The values as the outputs from `first` on, all of them.
inline void OutputStaged(OpContext& c, std::vector<Value> values, int first) {
  Require(std::ssize(values) + first == std::ssize(c.outputs), values.size(), " values are staged, not ",
          std::ssize(c.outputs) - first);
  for (size_t i = 0; i < values.size(); ++i) {
    const int output = first + static_cast<int>(i);
    if (values[i].tensor.dtype() != c.output_type(output)) {
      throw Internal("value ", i, " is ", DTypeName(values[i].tensor.dtype()), ", not ",
                     DTypeName(c.output_type(output)), " as the node says");
    }
    c.Output(output, std::move(values[i]));
  }
}

}  // namespace plumb::reference
