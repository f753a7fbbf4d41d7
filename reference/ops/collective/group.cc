// Members of a group meet and leave with what all of them brought (rules CO1–CO6).
#include "reference/kernel/op_context.h"
#include "reference/state/collectives.h"

namespace plumb::reference {
namespace {

// Of the session; no op names it.
const ResourceName kMeetings = {"", "_collective", "meetings"};

template <CollectiveRole role>
void Check(const Node& node) {
  MemberOf(role, node.attrs, node.device);
}

template <CollectiveRole role>
void Meet(OpContext& c) {
  c.resources.FindOrCreate<Collectives>(kMeetings);
  const auto meetings = c.resources.Share<Collectives>(kMeetings);
  if (!c.resumed) {
    CollectiveMember member = MemberOf(role, c.node.attrs, FullDevice(c.node.device, kOneTask));
    if (member.BringsInput()) TakeInputShape(member, c.tensor(0).shape());
    meetings->Join(c.execution, member, member.BringsInput() ? Detached(c.input(0)) : Value());
  }
  if (!meetings->Has(c.execution)) throw Cancelled("the meetings of collective ops were dropped");
  if (!meetings->IsServed(c.execution)) return c.Park(meetings);
  LineAnswer answer = meetings->Fetch(c.execution);
  if (!answer.status.ok()) throw Error(answer.status);
  c.Output(0, std::move(answer.values[0]));
}

constexpr KernelRow kRows[] = {
    {"CollectiveReduce", Meet<CollectiveRole::kReduces>, Check<CollectiveRole::kReduces>},
    {"CollectiveGather", Meet<CollectiveRole::kGathers>, Check<CollectiveRole::kGathers>},
    {"CollectiveBcastSend", Meet<CollectiveRole::kSends>, Check<CollectiveRole::kSends>},
    {"CollectiveBcastRecv", Meet<CollectiveRole::kReceives>, Check<CollectiveRole::kReceives>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> CollectiveGroup() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
