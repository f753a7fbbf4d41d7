#include "mpi/worker/part_at_once.h"

#include <algorithm>
#include <string>
#include <utility>

#include "fastpath/device/variable.h"
#include "fastpath/session/guard.h"

namespace plumb::dist {

// Where such a part sends. Each step of it sends as many values as the others, dead ones among them.
class PartAtOnce::Departures : public fast::Rendezvous {
 public:
  Departures(Post& post, const Routes& routes)
      : post_(post), routes_(routes), sent_(static_cast<size_t>(post.size())) {}

  void Begin(StepName step) {
    step_ = step;
    std::fill(sent_.begin(), sent_.end(), 0);
  }
  Status Send(const fast::Channel& channel, const fast::RendezvousKey& key, fast::Message message) override {
    const int rank = routes_.RankOf(channel.receiver);
    if (!message.is_dead && message.value.is_alias()) {
      aliases_.push_back({rank, key, std::move(message)});
      return OkStatus();
    }
    return Depart(rank, key, message);
  }
  // F28: aliases that a fetch reads when the step is over are read when this part of it is.
  Status EndWith(Status status) {
    for (KeptAlias& alias : aliases_) {
      if (!status.ok()) break;
      alias.message.value = fast::CopyOf(alias.message.value);
      status = Depart(alias.rank, alias.key, alias.message);
    }
    aliases_.clear();
    return status;
  }
  const std::vector<int64_t>& sent() const { return sent_; }

  void Receive(const fast::RendezvousKey&, std::shared_ptr<Receiver> receiver, bool) override {
    receiver->Take({Status(Code::kInternal, "a part that receives nothing was to receive something"), {}});
  }
  bool Withdraw(Receiver&) override { return false; }
  void Abort(const Status&) override {}

 private:
  Status Depart(int rank, const fast::RendezvousKey& key, const fast::Message& message) {
    ++sent_[static_cast<size_t>(rank)];
    return SendValue(post_, step_, rank, key, message);
  }

  struct KeptAlias {
    int rank;
    fast::RendezvousKey key;
    fast::Message message;
  };
  Post& post_;
  const Routes& routes_;
  StepName step_;
  std::vector<int64_t> sent_;  // by rank, in this step
  std::vector<KeptAlias> aliases_;
};

bool OnlySendsAway(const fast::StepGraph& part, const Routes& routes) {
  return std::all_of(part.nodes.begin(), part.nodes.end(), [&](const fast::StepNode& node) {
    if (node.kind == fast::NodeKind::kSend || node.kind == fast::NodeKind::kRecv) return false;
    if (node.op == nullptr || node.op->op == nullptr) return true;
    if (node.op->op->kind == OpKind::kRecv) return false;
    return node.op->op->kind != OpKind::kSend ||
           routes.RankOf(GetAttr<std::string>(node.op->attrs, "recv_device")) != routes.own();
  });
}

std::unique_ptr<PartAtOnce> PartAtOnce::Of(std::shared_ptr<fast::Executor> executor, Post& post, const Routes& routes) {
  const fast::Plan& plan = executor->plan();
  const bool may_wait = std::any_of(plan.nodes.begin(), plan.nodes.end(), [](const fast::PlanNode& node) {
    return node.kind == fast::NodeKind::kAsyncKernel && !node.answers_at_once;
  });
  if (may_wait || plan.frames.size() != 1) return nullptr;
  return std::unique_ptr<PartAtOnce>(new PartAtOnce(std::move(executor), post, routes));
}

PartAtOnce::PartAtOnce(std::shared_ptr<fast::Executor> executor, Post& post, const Routes& routes)
    : executor_(std::move(executor)), departures_(std::make_shared<Departures>(post, routes)) {}

Status PartAtOnce::Run(StepName step) {
  departures_->Begin(step);
  return departures_->EndWith(executor_->RunAtOnce(step.number, departures_));
}

Standing PartAtOnce::Stand() const {
  Standing standing;
  standing.is_idle = true;
  standing.sent = departures_->sent();
  standing.received.resize(standing.sent.size());
  return standing;
}

}  // namespace plumb::dist
