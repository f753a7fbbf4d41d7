#include "mpi/collective/roll.h"

#include <algorithm>
#include <utility>

#include "spec/ops/traits.h"

namespace plumb::dist {

std::vector<CollectiveMember> MembersIn(const fast::StepGraph& part, std::string_view task) {
  std::vector<CollectiveMember> members;
  for (const fast::StepNode& node : part.nodes) {
    const bool meets = node.op != nullptr && node.op->op != nullptr && Has(*node.op->op, Trait::kMeetsGroup);
    if (!meets || node.kind != fast::NodeKind::kKernel) continue;
    // What all of them say; nobody asks one that does not come what else it would have brought.
    const std::string device = FullDevice(node.op->device, task);
    members.push_back(MemberOf(CollectiveRole::kGathers, node.op->attrs, device));
  }
  return members;
}

void Roll::Came(const void* step, const CollectiveMember& member) {
  const auto found = steps_.find(step);
  if (found != steps_.end()) found->second.push_back(IdOf(member));
}

std::vector<CollectiveMember> Roll::End(const void* step, const std::vector<CollectiveMember>& all) {
  std::vector<Id> came;
  if (const auto found = steps_.find(step); found != steps_.end()) {
    came = std::move(found->second);
    steps_.erase(found);
  }
  std::vector<CollectiveMember> absent;
  for (const CollectiveMember& member : all) {
    const auto at = std::find(came.begin(), came.end(), IdOf(member));
    if (at == came.end()) {
      absent.push_back(member);
    } else {
      came.erase(at);
    }
  }
  return absent;
}

}  // namespace plumb::dist
