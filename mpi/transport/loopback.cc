#include "mpi/transport/loopback.h"

#include <deque>
#include <thread>
#include <utility>

#include "mpi/transport/shared_areas.h"
#include "spec/core/thread_annotations.h"

namespace plumb::dist {
namespace {

constexpr char kHost[] = "this process";

class LoopbackEnd;

// What the ends share: who is there. Declared before the ends, it outlives their threads.
struct Hub {
  explicit Hub(int ranks_with_areas) : areas(ranks_with_areas) {}
  std::vector<LoopbackEnd*> ends;  // by rank; set before any is used
  Mutex mutex;
  std::vector<Status> gone PLUMB_GUARDED_BY(mutex);  // by rank; OK: still there
  const SharedAreas areas;
};

// What a thread does next: a call of its receiver or of a `sent`.
struct Event {
  enum class Kind { kArrive, kLost, kSent } kind;
  int rank;
  std::string head;
  Payload payload;
  Status status;
  Sent sent;
};

class LoopbackEnd : public Transport {
 public:
  LoopbackEnd(int rank, std::shared_ptr<Hub> hub) : rank_(rank), hub_(std::move(hub)) {}
  ~LoopbackEnd() override { LoopbackEnd::Stop(); }

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(hub_->ends.size()); }
  std::string HostOf(int /*rank*/) const override { return kHost; }
  void Start(Receiver* receiver) override;
  void Send(int to, std::string head, Payload payload, Sent sent) override;
  void Stop() override { Leave(Status(Code::kCancelled, Str("rank ", rank_, " on ", kHost, " has stopped"))); }
  Traffic traffic() const override;
  SharedArea AreaOf(int rank) const override { return hub_->areas.Of(rank); }
  bool Reserve(size_t bytes) override { return hub_->areas.Reserve(bytes); }

  void Leave(const Status& why);

 private:
  void Count(const Payload& payload);
  // False once this end is closed, and then the event is untouched.
  bool Push(Event& event);
  void Close();
  void Run();
  void Handle(Event& event);

  const int rank_;
  const std::shared_ptr<Hub> hub_;
  Receiver* receiver_ = nullptr;
  std::thread thread_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<Event> events_ PLUMB_GUARDED_BY(mutex_);
  bool is_closed_ PLUMB_GUARDED_BY(mutex_) = false;
  Traffic traffic_ PLUMB_GUARDED_BY(mutex_);
};

void LoopbackEnd::Start(Receiver* receiver) {
  receiver_ = receiver;
  thread_ = std::thread([this] { Run(); });
}

bool LoopbackEnd::Push(Event& event) {
  MutexLock lock(mutex_);
  if (is_closed_) return false;
  events_.push_back(std::move(event));
  changed_.NotifyOne();
  return true;
}

void LoopbackEnd::Send(int to, std::string head, Payload payload, Sent sent) {
  Require(to >= 0 && to < size(), "there is no rank ", to, ": the run has ranks 0 to ", size() - 1);
  Status status;
  {
    // Under the lock of who is there, so that nothing arrives from a rank after the news that it is lost.
    MutexLock there(hub_->mutex);
    status = hub_->gone[rank_].ok() ? hub_->gone[to] : hub_->gone[rank_];
    if (status.ok()) {
      Count(payload);  // whoever has it finds it counted
      Event arrival{Event::Kind::kArrive, rank_, std::move(head), std::move(payload), {}, {}};
      hub_->ends[to]->Push(arrival);
    }
  }
  if (!sent) return;
  Event told{Event::Kind::kSent, to, {}, {}, status, std::move(sent)};
  if (!Push(told)) told.sent(status.ok() ? Status(Code::kCancelled, "the transport was stopped") : status);
}

void LoopbackEnd::Count(const Payload& payload) {
  MutexLock lock(mutex_);
  ++traffic_.messages_sent;
  traffic_.payload_bytes_sent += static_cast<int64_t>(payload.bytes);
}

void LoopbackEnd::Leave(const Status& why) {
  {
    MutexLock there(hub_->mutex);
    if (!hub_->gone[rank_].ok()) return;
    hub_->gone[rank_] = why;
    for (int rank = 0; rank < size(); ++rank) {
      Event lost{Event::Kind::kLost, rank_, {}, {}, why, {}};
      if (hub_->gone[rank].ok()) hub_->ends[rank]->Push(lost);  // others may not exist any more
    }
  }
  Close();
  if (thread_.joinable()) {
    thread_.join();
  } else {
    Run();  // never started: only those who wait for a `sent` are left
  }
}

void LoopbackEnd::Close() {
  MutexLock lock(mutex_);
  is_closed_ = true;
  changed_.NotifyOne();
}

void LoopbackEnd::Run() {
  for (;;) {
    Event event;
    {
      MutexLock lock(mutex_);
      while (events_.empty() && !is_closed_) changed_.Wait(mutex_);
      if (events_.empty()) return;
      event = std::move(events_.front());
      events_.pop_front();
      if (is_closed_ && event.kind != Event::Kind::kSent) continue;  // what comes after the end is dropped
      if (event.kind == Event::Kind::kArrive) ++traffic_.messages_arrived;
    }
    Handle(event);
  }
}

void LoopbackEnd::Handle(Event& event) {
  switch (event.kind) {
    case Event::Kind::kArrive:
      return receiver_->Arrive(event.rank, event.head, std::move(event.payload));
    case Event::Kind::kLost:
      return receiver_->Lost(event.rank, event.status);
    case Event::Kind::kSent:
      return event.sent(event.status);
  }
}

Traffic LoopbackEnd::traffic() const {
  MutexLock lock(mutex_);
  return traffic_;
}

}  // namespace

std::vector<std::unique_ptr<Transport>> NewLoopback(int ranks, bool shares_memory) {
  Require(ranks > 0, "a run has at least one rank, not ", ranks);
  auto hub = std::make_shared<Hub>(shares_memory ? ranks : 0);
  std::vector<std::unique_ptr<Transport>> ends;
  for (int rank = 0; rank < ranks; ++rank) {
    auto end = std::make_unique<LoopbackEnd>(rank, hub);
    hub->ends.push_back(end.get());
    ends.push_back(std::move(end));
  }
  MutexLock lock(hub->mutex);
  hub->gone.resize(ranks);
  return ends;
}

void Crash(Transport& end) {
  auto& mine = dynamic_cast<LoopbackEnd&>(end);
  mine.Leave(Status(Code::kUnavailable, Str("rank ", mine.rank(), " on ", mine.HostOf(mine.rank()), " was killed")));
}

}  // namespace plumb::dist
