// Which members of the steps that run on a rank have come to their meetings, which have left again, and how often each
// has come.
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
  // An attempt of the step waits no longer. False where the step is not known, so that it does not end here.
  bool Left(const void* step, int64_t ticket);
  // The step is over: those of `all` that have not come, and the attempts that have left.
  struct Ended {
    std::vector<CollectiveMember> absent;
    std::vector<int64_t> left;
  };
  Ended End(const void* step, const std::vector<CollectiveMember>& all);
  // The number of this execution among those of the member: of its device, in its group and instance.
  int64_t NextExecution(const CollectiveMember& member) { return ++executions_[IdOf(member)]; }

 private:
  using Id = std::tuple<int64_t, int64_t, std::string>;
  static Id IdOf(const CollectiveMember& member) { return {member.group_key, member.instance_key, member.device}; }

  struct Known {
    std::vector<Id> came;
    std::vector<int64_t> left;
  };
  std::map<const void*, Known> steps_;
  std::map<Id, int64_t> executions_;
};

}  // namespace plumb::dist
