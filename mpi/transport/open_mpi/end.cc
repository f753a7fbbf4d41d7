// One rank's end over Open MPI: a thread of its own makes all calls of MPI and of the receiver.
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "mpi/transport/loopback.h"
#include "mpi/transport/mpi.h"
#include "mpi/transport/open_mpi/inbox.h"
#include "mpi/transport/open_mpi/outbox.h"
#include "mpi/transport/open_mpi/watch.h"
#include "spec/core/thread_annotations.h"

namespace plumb::dist {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// How long the thread looks for news before it sleeps: while something is under way, and while nothing is.
constexpr milliseconds kBusyLook{20};
constexpr int64_t kBytesPerLook = 100;  // and a microsecond more for as many bytes: slower wires are not worth a core
constexpr microseconds kIdleLook{50};
// What is under way, or comes from another host, wakes nobody: the longest sleep then.
constexpr microseconds kBusyPause{200};
constexpr microseconds kFarPause{1000};
// How long Stop waits for others to take what was sent.
constexpr milliseconds kFarewell{5000};

class MpiEnd : public Transport {
 public:
  MpiEnd(MpiProcess& process, const MpiOptions& options);
  ~MpiEnd() override { MpiEnd::Stop(); }

  int rank() const override { return process_.rank(); }
  int size() const override { return process_.size(); }
  std::string HostOf(int rank) const override { return process_.HostOf(rank); }
  void Start(Receiver* receiver) override {
    receiver_ = receiver;
    Ring(bell_);
  }
  void Send(int to, std::string head, Payload payload, Sent sent) override;
  void Stop() override;
  Traffic traffic() const override;
  SharedArea AreaOf(int rank) const override { return process_.AreaOf(rank); }
  bool Reserve(size_t bytes) override { return process_.Reserve(bytes); }

 private:
  void Run();
  // One look at everything; returns whether there was news.
  bool Turn();
  bool TakeQueue();
  void Launch(Outgoing message);
  void Tell();
  void LookAround();
  void Lose(int rank, const Status& status);
  void Rest();
  // Before the thread ends.
  void Farewell();
  void TurnUntil(Clock::time_point end);
  void FailTheRest();

  MpiProcess& process_;
  Bell& bell_;
  const MPI_Comm comm_;
  std::atomic<Receiver*> receiver_{nullptr};

  mutable Mutex mutex_;
  std::deque<Outgoing> queue_ PLUMB_GUARDED_BY(mutex_);
  bool is_stopping_ PLUMB_GUARDED_BY(mutex_) = false;
  bool is_closed_ PLUMB_GUARDED_BY(mutex_) = false;
  Traffic traffic_ PLUMB_GUARDED_BY(mutex_);

  // Of the thread.
  Inbox inbox_;
  Outbox outbox_;
  Watch watch_;
  std::vector<Status> gone_;  // by rank; OK: still there
  std::vector<int> untold_;   // ranks that were lost before there was a receiver
  std::deque<Outgoing> to_itself_;
  std::vector<Ended> ended_;
  Clock::time_point last_news_ = Clock::now();
  microseconds pause_{0};

  std::once_flag joined_;
  std::thread thread_;
};

MpiEnd::MpiEnd(MpiProcess& process, const MpiOptions& options)
    : process_(process),
      bell_(*process.BellOf(process.rank())),
      comm_((bell_.pulse = SteadyMilliseconds(), process.NewCommunicator())),
      inbox_(comm_, process.size()),
      outbox_(process, comm_),
      watch_(process, options.patience),
      gone_(process.size()) {
  inbox_.heard = [this](int from) { watch_.Heard(from); };
  inbox_.left = [this](int from) {
    Lose(from, Status(Code::kCancelled, Str("rank ", from, " on ", HostOf(from), " has stopped")));
  };
  inbox_.copied = [this](size_t bytes) {
    MutexLock lock(mutex_);
    ++traffic_.payloads_copied;
    traffic_.largest_copy = std::max(traffic_.largest_copy, static_cast<int64_t>(bytes));
  };
  thread_ = std::thread([this] { Run(); });
}

void MpiEnd::Send(int to, std::string head, Payload payload, Sent sent) {
  Require(to >= 0 && to < size(), "there is no rank ", to, ": the run has ranks 0 to ", size() - 1);
  {
    MutexLock lock(mutex_);
    if (!is_closed_) {
      queue_.push_back({to, std::move(head), std::move(payload), std::move(sent)});
      sent = nullptr;
    }
  }
  Ring(bell_);
  if (sent) sent(Status(Code::kCancelled, "the transport was stopped"));
}

void MpiEnd::Stop() {
  {
    MutexLock lock(mutex_);
    is_stopping_ = true;
  }
  Ring(bell_);
  std::call_once(joined_, [this] { thread_.join(); });
}

Traffic MpiEnd::traffic() const {
  MutexLock lock(mutex_);
  return traffic_;
}

void MpiEnd::Run() {
  try {
    for (;;) {
      if (!Turn()) Rest();
      MutexLock lock(mutex_);
      if (is_stopping_) break;
    }
    Farewell();
  } catch (const Error& error) {  // MPI itself failed: nobody can be reached any more
    const Status status(Code::kUnavailable, Str("MPI failed on rank ", rank(), ": ", error.what()));
    process_.LeaveUnfinished();
    for (int to = 0; to < size(); ++to) Lose(to, status);
  }
  FailTheRest();
}

bool MpiEnd::Turn() {
  bool any = TakeQueue();
  if (outbox_.Progress(ended_)) any = true;
  Receiver* receiver = receiver_;
  if (receiver != nullptr) {
    for (const int rank : std::exchange(untold_, {})) receiver->Lost(rank, gone_[rank]);
    for (; !to_itself_.empty(); any = true) {
      Outgoing message = std::move(to_itself_.front());
      to_itself_.pop_front();
      receiver->Arrive(rank(), message.head, std::move(message.payload));
    }
    if (inbox_.Poll(*receiver)) any = true;
  }
  if (watch_.IsDue()) LookAround();
  if (!ended_.empty()) Tell();
  if (any) {
    last_news_ = Clock::now();
    pause_ = microseconds(0);
  }
  return any;
}

bool MpiEnd::TakeQueue() {
  std::deque<Outgoing> taken;
  {
    MutexLock lock(mutex_);
    taken.swap(queue_);
    traffic_.messages_arrived = inbox_.arrived();
  }
  for (Outgoing& message : taken) Launch(std::move(message));
  return !taken.empty();
}

void MpiEnd::Launch(Outgoing message) {
  if (!gone_[message.to].ok()) {
    if (message.sent) ended_.push_back({std::move(message.sent), gone_[message.to]});
    return;
  }
  const auto bytes = static_cast<int64_t>(message.payload.bytes);
  bool is_copied = false;
  if (message.to == rank()) {
    if (message.sent) ended_.push_back({std::exchange(message.sent, nullptr), {}});
    to_itself_.push_back(std::move(message));
  } else {
    is_copied = outbox_.Launch(Kind::kMessage, std::move(message));
  }
  MutexLock lock(mutex_);
  ++traffic_.messages_sent;
  traffic_.payload_bytes_sent += bytes;
  traffic_.payloads_copied += is_copied ? 1 : 0;
  if (is_copied) traffic_.largest_copy = std::max(traffic_.largest_copy, bytes);
}

void MpiEnd::Tell() {
  std::vector<Ended> ended;
  ended.swap(ended_);
  for (Ended& one : ended) one.sent(one.status);
}

void MpiEnd::LookAround() {
  for (const auto& [lost, status] : watch_.Look()) {
    process_.LeaveUnfinished();
    Lose(lost, status);
  }
  for (const int to : watch_.far()) outbox_.Launch(Kind::kPulse, {to, {}, {}, nullptr});
}

void MpiEnd::Lose(int rank, const Status& status) {
  if (!gone_[rank].ok()) return;
  gone_[rank] = status;
  watch_.Forget(rank);
  outbox_.Abandon(rank, status, ended_);
  inbox_.Abandon(rank);
  if (rank == this->rank()) return;
  Receiver* receiver = receiver_;
  if (receiver == nullptr) return untold_.push_back(rank);
  receiver->Lost(rank, status);
}

void MpiEnd::Rest() {
  outbox_.RingAll();
  const bool is_busy = !outbox_.empty() || inbox_.is_waiting();
  const auto bytes = static_cast<int64_t>(outbox_.bytes() + inbox_.bytes());
  if (Clock::now() - last_news_ < (is_busy ? kBusyLook + microseconds(bytes / kBytesPerLook) : kIdleLook)) {
    sched_yield();
    return;
  }
  const microseconds longest = is_busy ? kBusyPause : !watch_.far().empty() ? kFarPause : milliseconds(Watch::kPeriod);
  pause_ = watch_.far().empty() && !is_busy ? longest : std::min(longest, pause_ * 2 + microseconds(20));
  const microseconds pause = pause_;
  bell_.is_asleep = 1;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!Turn()) SleepOn(bell_, pause);
  bell_.is_asleep = 0;
}

void MpiEnd::Farewell() {
  const auto end = Clock::now() + kFarewell;
  TurnUntil(end);
  for (int to = 0; to < size(); ++to) {
    if (to != rank() && gone_[to].ok()) outbox_.Launch(Kind::kGoodbye, {to, {}, {}, nullptr});
  }
  TurnUntil(end);
  if (!outbox_.empty()) process_.LeaveUnfinished();
}

void MpiEnd::TurnUntil(Clock::time_point end) {
  do {
    if (!Turn()) Rest();
  } while (!outbox_.empty() && Clock::now() < end);
}

void MpiEnd::FailTheRest() {
  const Status stopped(Code::kCancelled, "the transport was stopped");
  {
    MutexLock lock(mutex_);
    is_closed_ = true;
    for (Outgoing& message : queue_) {
      if (message.sent) ended_.push_back({std::move(message.sent), stopped});
    }
    queue_.clear();
  }
  for (int to = 0; to < size(); ++to) outbox_.Abandon(to, stopped, ended_);
  inbox_.Close();
  Tell();
}

}  // namespace

std::unique_ptr<Transport> OpenMpi(const MpiOptions& options) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
    if (getenv(name) != nullptr) return std::make_unique<MpiEnd>(MpiProcess::Get(), options);
  }
  return std::move(NewLoopback(1)[0]);  // mpirun did not start this process
}

}  // namespace plumb::dist
