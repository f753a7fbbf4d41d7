#include "mpi/simulation/replication.h"

#include <algorithm>
#include <vector>

#include "mpi/simulation/servers_and_workers.h"

namespace plumb::dist {
namespace {

constexpr double kSmall = 64;  // bytes of a message that only says something

class ReplicatedRun {
 public:
  ReplicatedRun(const Replication& replication, const Costs& costs, const NetworkOptions& options)
      : replication_(replication),
        costs_(costs),
        tasks_(replication.servers, replication.workers + replication.backup, costs, options),
        network_(tasks_.network()),
        workers_(static_cast<size_t>(replication.workers + replication.backup)) {}

  double MedianStep() {
    for (size_t worker = 0; worker < workers_.size(); ++worker) Give(static_cast<int>(worker));
    network_.Run();
    const auto middle = seconds_.begin() + static_cast<std::ptrdiff_t>(seconds_.size() / 2);
    std::nth_element(seconds_.begin(), middle, seconds_.end());
    return *middle;
  }

 private:
  struct Worker {
    int64_t step = -1;     // that it works on
    bool is_idle = false;  // without a token
  };

  void Begin(int worker) {
    workers_[worker].step = step_;
    const double servers = replication_.servers;
    tasks_.AskAll(worker, kSmall, replication_.fetched_rows / servers * costs_.row,
                  replication_.fetched_bytes / servers,
                  [=, this] { network_.Compute(tasks_.TaskOf(worker), Computing(), [=, this] { HandIn(worker); }); });
  }

  double Computing() {
    const double share = 1 + replication_.noise * network_.Exponential();
    const bool is_slow = network_.Uniform() < replication_.slow;
    return replication_.compute * (share + (is_slow ? replication_.held_up * network_.Exponential() : 0));
  }

  void HandIn(int worker) {
    const double bytes = replication_.gradient_bytes / replication_.servers;
    tasks_.AskAll(worker, bytes, bytes * costs_.update_byte, kSmall, [=, this] {
      const int task = tasks_.TaskOf(worker);
      network_.Send(task, 0, kSmall,
                    [=, this] { network_.Compute(0, tasks_.Moved(kSmall), [=, this] { Count(worker); }); });
    });
  }

  // At the first server.
  void Count(int worker) {
    const bool counts = workers_[worker].step == step_;
    workers_[worker].is_idle = true;
    if (!counts) return Give(worker);  // late: its gradient is dropped
    if (++handed_in_ < replication_.workers) return;
    handed_in_ = 0;
    ++step_;
    if (step_ > 1) seconds_.push_back(network_.now() - began_);
    began_ = network_.now();
    if (step_ > replication_.steps) return network_.Stop();
    for (size_t other = 0; other < workers_.size(); ++other) {
      if (workers_[other].is_idle) Give(static_cast<int>(other));
    }
  }

  void Give(int worker) {
    workers_[worker].is_idle = false;
    network_.Compute(0, tasks_.Moved(kSmall), [=, this] {
      network_.Send(0, tasks_.TaskOf(worker), kSmall, [=, this] {
        network_.Compute(tasks_.TaskOf(worker), tasks_.Moved(kSmall), [=, this] { Begin(worker); });
      });
    });
  }

  const Replication replication_;
  const Costs costs_;
  ServersAndWorkers tasks_;
  VirtualNetwork& network_;
  std::vector<Worker> workers_;
  int64_t step_ = 0;
  int handed_in_ = 0;
  double began_ = 0;
  std::vector<double> seconds_;
};

}  // namespace

double MedianStep(const Replication& replication, const Costs& costs, const NetworkOptions& network) {
  return ReplicatedRun(replication, costs, network).MedianStep();
}

}  // namespace plumb::dist
