// Members of a group meet and leave with what all of them brought (CO1–CO6).
#include <algorithm>
#include <vector>

#include "fastpath/cpu/lib/collective/groups.h"
#include "fastpath/cpu/lib/dispatch.h"

namespace plumb::fast::cpu {
namespace {

class CollectiveKernel final : public AsyncKernel {
 public:
  CollectiveKernel(const Node& node, CollectiveRole role) : member_(MemberOf(role, node.attrs, node.device)) {}

  void Start(AsyncContext& context, Done done) override {
    CollectiveMember member = member_;
    Tensor input;
    if (member.BringsInput()) {
      context.Unalias(0);
      input = context.TakeInput(0);
      TakeInputShape(member, input.shape());
    }
    Meet(context, std::move(done), std::move(member), std::move(input));
  }

 private:
  const CollectiveMember member_;
};

constexpr KernelRow kRows[] = {
    {"CollectiveReduce", MakeWith<CollectiveKernel, CollectiveRole::kReduces>},
    {"CollectiveGather", MakeWith<CollectiveKernel, CollectiveRole::kGathers>},
    {"CollectiveBcastSend", MakeWith<CollectiveKernel, CollectiveRole::kSends>},
    {"CollectiveBcastRecv", MakeWith<CollectiveKernel, CollectiveRole::kReceives>},
};

}  // namespace

std::span<const KernelRow> CollectiveGroup() { return kRows; }

}  // namespace plumb::fast::cpu
