#include "mpi/simulation/replication.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace plumb::dist {
namespace {

constexpr double kSmall = 64;  // bytes of a message that only says something

// Tasks are the servers, then the workers.
class ReplicatedRun {
 public:
  ReplicatedRun(const Replication& replication, const Costs& costs, const NetworkOptions& options)
      : replication_(replication),
        costs_(costs),
        network_(replication.servers + replication.workers + replication.backup, options),
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
    int awaits = 0;        // answers of servers
    int64_t step = -1;     // that it works on
    bool is_idle = false;  // without a token
  };

  int TaskOf(int worker) const { return replication_.servers + worker; }
  double Moved(double bytes) const { return costs_.message + bytes * costs_.byte; }

  // A request of so many bytes to each server, which works on it and answers; `then` when all have.
  void AskAll(int worker, double bytes, double work, double answered, VirtualNetwork::Then then) {
    const auto answered_all = std::make_shared<const VirtualNetwork::Then>(std::move(then));
    workers_[worker].awaits = replication_.servers;
    const int task = TaskOf(worker);
    for (int server = 0; server < replication_.servers; ++server) {
      network_.Compute(task, costs_.part + Moved(bytes), [=, this] {
        network_.Send(task, server, bytes, [=, this] {
          network_.Compute(server, Moved(bytes) + costs_.part + work + Moved(answered), [=, this] {
            network_.Send(server, task, answered, [=, this] {
              network_.Compute(task, Moved(answered), [=, this] {
                if (--workers_[worker].awaits == 0) (*answered_all)();
              });
            });
          });
        });
      });
    }
  }

  void Begin(int worker) {
    workers_[worker].step = step_;
    const double servers = replication_.servers;
    AskAll(worker, kSmall, replication_.fetched_rows / servers * costs_.row, replication_.fetched_bytes / servers,
           [=, this] { network_.Compute(TaskOf(worker), Computing(), [=, this] { HandIn(worker); }); });
  }

  double Computing() {
    const double share = 1 + replication_.noise * network_.Exponential();
    const bool is_slow = network_.Uniform() < replication_.slow;
    return replication_.compute * (share + (is_slow ? replication_.held_up * network_.Exponential() : 0));
  }

  void HandIn(int worker) {
    const double bytes = replication_.gradient_bytes / replication_.servers;
    AskAll(worker, bytes, bytes * costs_.update_byte, kSmall, [=, this] {
      const int task = TaskOf(worker);
      network_.Send(task, 0, kSmall, [=, this] { network_.Compute(0, Moved(kSmall), [=, this] { Count(worker); }); });
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
    network_.Compute(0, Moved(kSmall), [=, this] {
      network_.Send(0, TaskOf(worker), kSmall,
                    [=, this] { network_.Compute(TaskOf(worker), Moved(kSmall), [=, this] { Begin(worker); }); });
    });
  }

  const Replication replication_;
  const Costs costs_;
  VirtualNetwork network_;
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
