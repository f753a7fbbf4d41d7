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
  if (found != steps_.end()) found->second.came.push_back(IdOf(member));
}

bool Roll::Left(const void* step, int64_t ticket) {
  const auto found = steps_.find(step);
  if (found == steps_.end()) return false;
  found->second.left.push_back(ticket);
  return true;
}

Roll::Ended Roll::End(const void* step, const std::vector<CollectiveMember>& all) {
  Known known;
  if (const auto found = steps_.find(step); found != steps_.end()) {
    known = std::move(found->second);
    steps_.erase(found);
  }
  Ended ended;
  ended.left = std::move(known.left);
  for (const CollectiveMember& member : all) {
    const auto at = std::find(known.came.begin(), known.came.end(), IdOf(member));
    if (at == known.came.end()) {
      ended.absent.push_back(member);
    } else {
      known.came.erase(at);
    }
  }
  return ended;
}

}  // namespace plumb::dist
