// One task of a cluster: its devices and resources, what it does for others, and what it asks of them.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "mpi/cluster/task_device.h"
#include "mpi/collective/rank_exchange.h"
#include "mpi/master/master.h"
#include "mpi/transport/transport.h"
#include "mpi/worker/attendant.h"
#include "mpi/worker/worker.h"

namespace plumb::dist {

// On which ranks programs run steps. Parameter servers, the tasks of a job "ps", have no clients, but serve.
enum class Clients { kAllWorkers, kFirstWorker };

struct ServerOptions {
  std::string cluster;  // Cluster::Parse
  int threads = 0;      // of each task; 0: one for each of Transport::Cores
  int cpus = 1;         // devices of each task
  Clients clients = Clients::kAllWorkers;
  fast::Wire wire = fast::Wire::kExact;  // how numbers travel between tasks, in the steps of this one's clients
  Statement statement = {};              // of the program that runs here
  int64_t clock_ahead_ns = 0;            // for tests: of the clock that other ranks see here
  // When the run has failed, how long a rank that leaves waits for those that have not heard of it.
  std::chrono::milliseconds last_words{5000};
  std::function<void()> when_session_ends = nullptr;  // of a client here
};

class Server : public Receiver, private StepOutlet {
 public:
  // Takes part from now on. All ranks make their servers with equal options; throws kInvalidArgument where the cluster
  // does not fit the ranks.
  Server(std::unique_ptr<Transport> transport, const ServerOptions& options);
  ~Server() override;  // leaves
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Waits until each other rank has said that it is there; throws kFailedPrecondition naming one that runs another
  // version or program or has another cluster, and what the first difference is.
  void AwaitOthers();
  // Serves until all ranks that have clients have left, or the run has failed; the run's status.
  Status Serve();
  // This rank's program has failed, and with it the run.
  void GiveUp(const Status& status);
  // Says that no client of this rank asks for anything any more, waits until the others have left too, and ends the
  // transport. Once; the run's status.
  Status Leave();
  // OK, or why the run has failed: a rank was lost before it had left, or gave up. Then all steps of this rank's
  // clients fail, those that go on and those that would come.
  Status run();
  // What parts of other ranks' steps wait for here, as further words of a text.
  std::string GuestsWait();
  void SessionHasEnded() const {
    if (options_.when_session_ends) options_.when_session_ends();
  }
  // Whether programs run steps on this rank.
  bool has_clients() const { return IsClient(rank()); }

  int rank() const { return post_.rank(); }
  const Cluster& cluster() const { return cluster_; }
  std::string HostOf(int rank) const { return transport_->HostOf(rank); }
  Traffic traffic() const { return transport_->traffic(); }
  int cpus() const { return options_.cpus; }
  fast::Wire wire() const { return options_.wire; }
  const fast::DeviceSet& devices() const { return devices_; }
  fast::ThreadPool& pool() { return *pool_; }
  fast::ResourceManager& resources() { return resources_; }
  fast::Watchdog& watchdog() { return watchdog_; }
  Master& master() { return *master_; }
  // How many parts of other ranks' steps are registered here.
  size_t parts() { return worker_->parts(); }
  // How many steps of another rank are known here.
  size_t StepsOf(int master) { return steps_.Of(master).size(); }
  // Tells a rank something beside the steps, and what each has told this one: the last word of a rank on a topic
  // counts.
  void Tell(int rank, const std::string& topic, std::string text);
  std::map<int, std::string> Told(const std::string& topic);
  RankExchange& exchange() { return *exchange_; }
  // For threads that wait for other ranks.
  Attendant& attendant() { return attendant_; }

 private:
  // What is no message makes its sender a lost rank.
  Place PlaceFor(int from, std::string_view head, size_t bytes) override;
  void Arrive(int from, std::string_view head, Payload payload) override;
  void Lost(int rank, const Status& status) override;
  bool IsClient(int rank) const;
  std::shared_ptr<Step> MakeStep(StepName name);
  Status SendAway(StepName step, int rank, const fast::RendezvousKey& key, const fast::Message& message) override;
  void StepFailed(StepName step, const Status& status) override;
  void Dispatch(int from, std::string_view head, Payload payload);
  void Take(int from, const Hello& message);
  void Take(int from, const Terms& message);
  void Take(int from, const Note& message, const Payload& text);
  // Whether all that is to be said before the first step has been said.
  bool AllHaveSpoken() const PLUMB_REQUIRES(mutex_);
  void Take(int from, const Value& value, const Payload& payload);
  void TakeDeparture(int from);
  // The first failure counts; all are told.
  void FailRun(Status status);
  // Wakes who waits for it.
  void TellOfDeparture();
  bool HaveLeft(bool clients_only) const PLUMB_REQUIRES(mutex_);
  bool IsServed() const PLUMB_REQUIRES(mutex_) { return !run_.ok() || HaveLeft(/*clients_only=*/true); }
  // Of all; where the run has failed, for as long as they have for their last words, until `end`.
  void AwaitDeparture();
  bool MayStop(std::optional<std::chrono::steady_clock::time_point>& end) const PLUMB_REQUIRES(mutex_);

  const ServerOptions options_;
  const std::unique_ptr<Transport> transport_;
  Post post_;
  const Cluster cluster_;
  const fast::DeviceSet devices_;
  const Routes routes_;
  fast::ResourceManager resources_;
  fast::Watchdog watchdog_;
  std::unique_ptr<fast::ThreadPool> pool_;
  Attendant attendant_;
  std::unique_ptr<fast::StepEnvironment> environment_;  // of what runs for others
  StepTable steps_;
  std::shared_ptr<RankExchange> exchange_;
  std::unique_ptr<Worker> worker_;
  std::unique_ptr<Master> master_;
  Mutex mutex_;
  CondVar changed_;
  std::set<int> there_ PLUMB_GUARDED_BY(mutex_), gone_ PLUMB_GUARDED_BY(mutex_);
  std::atomic<int64_t> departures_{0};  // how often a rank has gone
  bool has_left_ PLUMB_GUARDED_BY(mutex_) = false;
  Status run_ PLUMB_GUARDED_BY(mutex_);
  Status mismatch_ PLUMB_GUARDED_BY(mutex_);
  std::set<int> disputed_ PLUMB_GUARDED_BY(mutex_);                  // ranks with another program
  std::map<int, std::string> differences_ PLUMB_GUARDED_BY(mutex_);  // from them
  std::map<std::string, std::map<int, std::string>> notes_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::dist
