// Which members of the steps that run on a rank have come to their meetings, and how often each has.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "fastpath/compile/graph/step_graph.h"
#include "spec/ops/collective_member.h"

namespace plumb::dist {

// Those of a part of a step, on devices of this task: their devices, groups, instances and types.
std::vector<CollectiveMember> MembersIn(const fast::StepGraph& part, std::string_view task);

class Roll {
 public:
  // A step is known by what its kernels call it. Only steps that have begun are kept.
  void Begin(const void* step) { steps_[step]; }
  void Came(const void* step, const CollectiveMember& member);
  // The step is over: those of `all` that have not come.
  std::vector<CollectiveMember> End(const void* step, const std::vector<CollectiveMember>& all);
  // The number of this execution among those of the member: of its device, in its group and instance.
  int64_t NextExecution(const CollectiveMember& member) { return ++executions_[IdOf(member)]; }

 private:
  using Id = std::tuple<int64_t, int64_t, std::string>;
  static Id IdOf(const CollectiveMember& member) { return {member.group_key, member.instance_key, member.device}; }

  std::map<const void*, std::vector<Id>> steps_;  // who has come
  std::map<Id, int64_t> executions_;
};

}  // namespace plumb::dist
