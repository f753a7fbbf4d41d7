// A queue of tuples (rules Q1–Q42). A kernel leaves an attempt and goes; whoever changes the queue answers all that can
// be answered then, on its own thread.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "fastpath/device/async_kernel.h"

namespace plumb::fast::cpu {

inline constexpr const char* kQueueTypeName = "Queue";

// Which element comes out next: the first; the first, and several are padded to one shape (rule Q41); any (rule Q40);
// the one whose first component is smallest (rule Q42). The numbers are saved.
enum class QueueKind : int32_t { kFifo, kPadding, kShuffled, kPriority };

// What nodes that share a queue agree on (rule Q9).
struct QueueSpec {
  QueueKind kind = QueueKind::kFifo;
  std::vector<DType> types;
  std::vector<PartialShape> shapes;  // of each component; empty: any
  int64_t capacity = 0;              // INT64_MAX: no limit
  int64_t min_after_dequeue = 0;
  int64_t seed = 0, seed2 = 0;
  // Whether a node that says `other` means this queue. One without seeds takes any.
  bool AgreesWith(const QueueSpec& other) const;
};

// A component of an element: a tensor, or one of its rows, which is copied only when it is taken out.
struct QueueItem {
  Tensor tensor;
  int64_t row = kWhole;
  static constexpr int64_t kWhole = -1;
};
using QueueElement = std::vector<QueueItem>;
// Component `component` of all elements, one behind the other: of the queue's shape where that is known, else as long
// as the longest, with zeros behind the others (rule Q41).
Tensor Stacked(ThreadPool& pool, const QueueSpec& spec, size_t component, const std::vector<QueueElement>& elements);
// As a tensor of its own. A whole one is handed on as it is, alias or not.
Tensor TensorOf(const QueueItem& item);

class QueueObject : public Resource, public std::enable_shared_from_this<QueueObject> {
 public:
  using Done = AsyncKernel::Done;

  QueueObject() = default;
  // R5: the queue was dropped; those who wait find it gone.
  ~QueueObject() override;
  QueueObject(const QueueObject&) = delete;
  QueueObject& operator=(const QueueObject&) = delete;

  // Says what the queue is, the first time; afterwards kInvalidArgument unless it is that (rule Q9). Comes before
  // anything else.
  void Describe(const std::string& name, const QueueSpec& spec);
  const QueueSpec& spec() const { return spec_; }

  // Each answers `done` once, perhaps before it returns; until then the context is used. Inputs have been checked.
  void Enqueue(AsyncContext& context, Done done, std::vector<Tensor> element);
  void EnqueueRows(AsyncContext& context, Done done, std::vector<Tensor> rows);
  void DequeueOne(AsyncContext& context, Done done);
  void DequeueBatch(AsyncContext& context, Done done, int64_t count, bool or_fewer);
  void Close(AsyncContext& context, Done done, bool cancel_pending_enqueues);

  int64_t size();
  bool is_closed();

  // S10: without the attempts that wait.
  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  struct Call {
    int64_t id;
    AsyncContext* context;
    Done done;
  };
  struct Producer {
    Call call;
    bool closes;                     // a Close in the line of those who put elements in
    std::vector<Tensor> components;  // of one element, or with a row for each
    int64_t next;                    // the row that comes next, or QueueItem::kWhole
    int64_t left;                    // elements still to be put in
  };
  struct Consumer {
    Call call;
    bool takes_one;  // which is handed out as it is, not stacked with others
    bool or_fewer;
    int64_t missing;
    std::vector<QueueElement> held;
  };
  // An attempt that has its answer, to be given when the lock is released.
  struct Answer {
    Call call;
    Status status;
    bool takes_one = false, stacks = false;  // what becomes of the elements
    std::vector<QueueElement> elements = {};
  };
  using Answers = std::vector<Answer>;

  void Produce(Producer producer);
  void Consume(Consumer consumer);
  // Answers the attempt, if it still waits, because its step was stopped.
  void Stop(int64_t id);

  void Serve(Answers& answers) PLUMB_REQUIRES(mutex_);
  bool Put(Producer& producer, Answers& answers, bool& changed) PLUMB_REQUIRES(mutex_);
  bool Take(Consumer& consumer, Answers& answers, bool& changed) PLUMB_REQUIRES(mutex_);
  bool MayTakeFromClosed(Consumer& consumer, Answers& answers) PLUMB_REQUIRES(mutex_);
  void Insert(QueueElement element) PLUMB_REQUIRES(mutex_);
  void MoveOut(int64_t count, std::vector<QueueElement>& to) PLUMB_REQUIRES(mutex_);
  void RestoreSeeds(const Tensor& saved) PLUMB_REQUIRES(mutex_);
  uint32_t NextWord() PLUMB_REQUIRES(mutex_);
  bool Park(const Call& call) PLUMB_REQUIRES(mutex_);
  // What an attempt that waits waits for, as things are now.
  std::string WaitOf(int64_t id);
  void Withdraw(int64_t id, Answers& answers) PLUMB_REQUIRES(mutex_);
  int64_t Size() const PLUMB_REQUIRES(mutex_) { return static_cast<int64_t>(elements_.size()); }
  Status ClosedStatus() const;

  void Give(Answers& answers) const PLUMB_EXCLUDES(mutex_);
  void SetOutputs(const Answer& answer) const;

  std::string name_;  // this and the spec never change once they are said; a restored queue has the spec
  QueueSpec spec_;
  mutable Mutex mutex_;
  std::deque<QueueElement> elements_ PLUMB_GUARDED_BY(mutex_);
  std::deque<Producer> producers_ PLUMB_GUARDED_BY(mutex_);
  std::deque<Consumer> consumers_ PLUMB_GUARDED_BY(mutex_);
  bool is_closed_ PLUMB_GUARDED_BY(mutex_) = false;
  int64_t next_id_ PLUMB_GUARDED_BY(mutex_) = 1;
  // Q40: the queue's own seeds, where the node has none, and how many words of their stream were used.
  uint64_t stream_seed_ PLUMB_GUARDED_BY(mutex_) = 0, stream_seed2_ PLUMB_GUARDED_BY(mutex_) = 0;
  int64_t words_used_ PLUMB_GUARDED_BY(mutex_) = 0;
};

}  // namespace plumb::fast::cpu
