// A reader that several steps use in turn (rules Q51–Q56). A kernel leaves an attempt and goes; whoever ends a turn, or
// has a work item for the reader, goes on with those in line, on its own thread.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fastpath/cpu/data_flow/queue_object.h"
#include "fastpath/cpu/data_flow/work_reader.h"
#include "fastpath/device/async_kernel.h"

namespace plumb::fast::cpu {

inline constexpr const char* kReaderTypeName = "Reader";

class ReaderObject : public Resource, public std::enable_shared_from_this<ReaderObject> {
 public:
  using Done = AsyncKernel::Done;
  using Act = std::function<void(WorkReader& reader, KernelContext& context)>;

  ReaderObject() = default;
  ReaderObject(const ReaderObject&) = delete;
  ReaderObject& operator=(const ReaderObject&) = delete;

  // Says what the reader is, the first time.
  void Describe(const std::string& name, const ReaderSpec& spec);

  // Each answers `done` once, perhaps before it returns; until then the context is used.
  // Q51, Q52: the next record, or up to `count` of them as vectors; waits for work at the queue.
  void ReadOne(AsyncContext& context, Done done, const std::shared_ptr<QueueObject>& queue);
  void ReadUpTo(AsyncContext& context, Done done, const std::shared_ptr<QueueObject>& queue, int64_t count);
  // Anything that waits for its turn alone.
  void Do(AsyncContext& context, Done done, Act act);

  // S10: without the attempts that wait.
  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  struct Call {
    int64_t id = 0;
    AsyncContext* context = nullptr;
    Done done = {};
  };
  struct Attempt {
    Call call;
    Act act = {};  // if this is none, it reads
    std::weak_ptr<QueueObject> queue = {};
    int64_t count = 1;
    bool is_batch = false;
    bool is_parked = false;
  };
  struct Answer {
    Call call;
    Status status;
  };
  using Answers = std::vector<Answer>;
  // A question for work at a queue, with the context that the queue answers.
  struct Question;
  // What a queue answered.
  struct Work {
    Status status;
    std::vector<Tensor> components;
  };

  void Join(Attempt attempt);
  void Advance();
  std::shared_ptr<Question> ServeLine(Answers& answers) PLUMB_REQUIRES(mutex_);
  std::optional<Status> TryServe(const Attempt& attempt) PLUMB_REQUIRES(mutex_);
  bool Read(const Attempt& attempt) PLUMB_REQUIRES(mutex_);
  void BeginWork() PLUMB_REQUIRES(mutex_);
  bool Park(Attempt& attempt, std::string waits_for) PLUMB_REQUIRES(mutex_);
  std::shared_ptr<Question> ParkAll(Answers& answers) PLUMB_REQUIRES(mutex_);
  bool IsAnsweredAtOnce(const std::shared_ptr<Question>& question);
  void TakeWork(Question& question, const Status& status);
  void Stop(int64_t id);
  // The one that asks at a queue is withdrawn there: what is returned is to be stopped when the lock is released.
  std::shared_ptr<Question> Withdraw(int64_t id, Answers& answers) PLUMB_REQUIRES(mutex_);
  static void Stop(const std::shared_ptr<Question>& question);
  static void Give(Answers& answers);

  mutable Mutex mutex_;
  WorkReader reader_ PLUMB_GUARDED_BY(mutex_);
  std::deque<Attempt> line_ PLUMB_GUARDED_BY(mutex_);          // the first one has its turn
  bool is_asking_ PLUMB_GUARDED_BY(mutex_) = false;            // the first one, at its queue
  std::weak_ptr<Question> question_ PLUMB_GUARDED_BY(mutex_);  // while it does
  std::optional<Work> work_ PLUMB_GUARDED_BY(mutex_);          // that it got there
  int64_t next_id_ PLUMB_GUARDED_BY(mutex_) = 1;
};

}  // namespace plumb::fast::cpu
