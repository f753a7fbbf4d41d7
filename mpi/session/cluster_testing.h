// Clusters for tests: ranks as threads of one process, over loopback or over a simulated run.
#pragma once

#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "mpi/session/distributed_session.h"
#include "mpi/transport/loopback.h"
#include "mpi/transport/simulated.h"

namespace plumb::dist {

// Delays as long as they are in a cluster, or a hundred times that, so that messages of different ranks overtake each
// other often.
inline SimulatedOptions Delayed(uint64_t seed, Hands hands = Hands::kOfThoseWhoWait) {
  SimulatedOptions options;
  options.hands = hands;
  options.links.seed = seed;
  options.links.latency = 20e-6;
  options.links.jitter = seed % 2 == 0 ? 1 : 100;
  if (hands == Hands::kOwnInTime) options.links.jitter = 2;
  options.links.bytes_per_second = 5e9;
  return options;
}

class TestCluster {
 public:
  TestCluster(int ranks, const std::string& cluster, int threads = 2, int cpus = 1)
      : TestCluster(ranks, ServerOptions{cluster, threads, cpus}) {}
  // Over loopback, or over what PLUMB_RANKS_OVER asks for: "turns:SEED" is a simulated run in the hands of those who
  // wait, "delays:SEED" one in time.
  TestCluster(int ranks, const ServerOptions& options, bool shares_memory = false)
      : TestCluster(ranks, options, AskedFor(ranks, shares_memory), shares_memory) {}
  TestCluster(int ranks, const ServerOptions& options, std::shared_ptr<SimulatedRun> run, bool shares_memory = false)
      : run_(std::move(run)) {
    for (auto& transport : run_ != nullptr ? run_->TakeEnds() : NewLoopback(ranks, shares_memory)) {
      ends_.push_back(transport.get());
      servers_.push_back(std::make_shared<Server>(std::move(transport), options));
    }
    for (const auto& server : servers_) server->AwaitOthers();
  }
  // A server waits for the others when it leaves.
  ~TestCluster() {
    if (run_ != nullptr) run_->Spare();
    std::vector<std::function<void()>> leaving;
    for (auto& server : servers_) leaving.emplace_back([&server] { server.reset(); });
    RunTogether(leaving);
  }

  std::unique_ptr<Session> Open(int rank, const SessionOptions& options = {}) {
    return NewDistributedSession(servers_[rank], options);
  }
  Server& server(int rank) { return *servers_[rank]; }
  // Null over loopback.
  SimulatedRun* run() { return run_.get(); }
  // All at once, each on a thread of its own.
  void RunTogether(const std::vector<std::function<void()>>& programs) {
    if (run_ != nullptr && ends_[0]->HasOwnTime()) return run_->RunTogether(programs);
    std::vector<std::thread> threads;
    for (const auto& program : programs) threads.emplace_back(program);
    for (std::thread& thread : threads) thread.join();
  }
  // Of values, sent by all ranks since they were made.
  int64_t payload_bytes() const {
    int64_t bytes = 0;
    for (const Transport* end : ends_) bytes += end->traffic().payload_bytes_sent;
    return bytes;
  }
  Traffic TrafficOf(int rank) const { return ends_[rank]->traffic(); }
  // The rank ends without a word, and hears of nobody any more.
  void Crash(int rank) {
    if (run_ != nullptr) {
      run_->Crash(rank);
    } else {
      dist::Crash(*ends_[rank]);
    }
    EndCrashed(rank);
  }
  // The same once so many more messages have arrived.
  void CrashAfter(int64_t arrivals, int rank) {
    run_->CrashAfter(arrivals, rank, [this, rank] { EndCrashed(rank); });
  }

 private:
  static std::shared_ptr<SimulatedRun> AskedFor(int ranks, bool shares_memory) {
    static std::atomic<uint64_t> clusters{0};
    const char* const asked = std::getenv("PLUMB_RANKS_OVER");
    const std::string over = asked == nullptr ? "" : asked;
    const bool takes_turns = over.starts_with("turns:");
    if (!takes_turns && !over.starts_with("delays:")) return nullptr;
    const uint64_t seed = std::strtoull(over.c_str() + over.find(':') + 1, nullptr, 10);
    SimulatedOptions options =
        Delayed(1000 * seed + clusters.fetch_add(1), takes_turns ? Hands::kOfThoseWhoWait : Hands::kOwnInTime);
    options.shares_memory = shares_memory;
    return std::make_shared<SimulatedRun>(ranks, options);
  }
  // Its threads are still those of this process, and have to end.
  void EndCrashed(int rank) {
    Receiver& crashed = *servers_[rank];
    for (size_t other = 0; other < ends_.size(); ++other) {
      if (static_cast<int>(other) == rank) continue;
      crashed.Lost(static_cast<int>(other), Status(Code::kUnavailable, "this rank has crashed"));
    }
  }

  std::shared_ptr<SimulatedRun> run_;
  std::vector<Transport*> ends_;
  std::vector<std::shared_ptr<Server>> servers_;
};

}  // namespace plumb::dist
