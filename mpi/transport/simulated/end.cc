#include <utility>

#include "mpi/transport/simulated/world.h"

namespace plumb::dist {
namespace {

class SimulatedEnd : public Transport {
 public:
  SimulatedEnd(int rank, std::shared_ptr<SimulatedWorld> world) : rank_(rank), world_(std::move(world)) {}
  ~SimulatedEnd() override { world_->Stop(rank_); }

  int rank() const override { return rank_; }
  int size() const override { return world_->size(); }
  std::string HostOf(int rank) const override {
    const int host = world_->HostOf(rank);
    return host == 0 ? "this process" : Str("host ", host, " of this process");
  }
  void Start(Receiver* receiver) override { world_->Start(rank_, receiver); }
  void Send(int to, std::string head, Payload payload, Sent sent) override {
    world_->Send(rank_, to, std::move(head), std::move(payload), std::move(sent));
  }
  bool Attend(const Asked& is_over, const Asked& /*work*/, bool /*rests*/) override {
    if (!HasOwnTime()) return false;
    world_->Await(rank_, is_over);
    return true;
  }
  void Nudge() override { world_->Stir(rank_); }
  bool HasOwnTime() const override { return world_->is_moved_by_those_who_wait(); }
  void Employ(Asked work) override { world_->Employ(rank_, std::move(work)); }
  void After(std::chrono::nanoseconds time, std::function<void()> then) override {
    world_->After(rank_, std::chrono::duration<double>(time).count(), std::move(then));
  }
  void Stop() override { world_->Stop(rank_); }
  Traffic traffic() const override { return world_->traffic(rank_); }
  SharedArea AreaOf(int rank) const override {
    return world_->HostOf(rank) == world_->HostOf(rank_) ? world_->areas().Of(rank) : SharedArea();
  }
  bool Reserve(size_t bytes) override { return world_->areas().Reserve(bytes); }

 private:
  const int rank_;
  const std::shared_ptr<SimulatedWorld> world_;
};

}  // namespace

SimulatedRun::SimulatedRun(int ranks, const SimulatedOptions& options) {
  Require(ranks > 0, "a run has at least one rank, not ", ranks);
  Require(options.links.loss >= 0 && options.links.loss < 1, "a share of ", options.links.loss,
          " of the messages is lost; some have to arrive");
  world_ = std::make_shared<SimulatedWorld>(ranks, options);
}

SimulatedRun::~SimulatedRun() = default;

std::vector<std::unique_ptr<Transport>> SimulatedRun::TakeEnds() {
  std::vector<std::unique_ptr<Transport>> ends;
  for (int rank = 0; rank < world_->size(); ++rank) ends.push_back(std::make_unique<SimulatedEnd>(rank, world_));
  return ends;
}

void SimulatedRun::Crash(int rank) { world_->Crash(rank); }
void SimulatedRun::CrashAfter(int64_t arrivals, int rank, std::function<void()> then) {
  world_->PlanLoss({arrivals, rank, true, std::move(then)});
}
void SimulatedRun::Spare() { world_->Spare(); }
void SimulatedRun::CutOffAfter(int64_t arrivals, int rank) { world_->PlanLoss({arrivals, rank, false, nullptr}); }
void SimulatedRun::CutOff(int rank) { world_->CutOff(rank); }
void SimulatedRun::RunTogether(const std::vector<std::function<void()>>& programs) { world_->RunTogether(programs); }
double SimulatedRun::now() const { return world_->now(); }
int64_t SimulatedRun::arrivals() const { return world_->arrivals(); }
uint64_t SimulatedRun::fingerprint() const { return world_->fingerprint(); }

}  // namespace plumb::dist
