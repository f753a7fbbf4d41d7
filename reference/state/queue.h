// A queue of tuples (rules Q1–Q42): what it holds, who waits for room, who waits for elements.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "reference/numbers/value.h"
#include "reference/state/resources.h"

namespace plumb::reference {

inline constexpr char kQueueType[] = "Queue";  // in handles

// The components of one element.
using Tuple = std::vector<Value>;

// Which element comes out next, and how several are taken together.
enum class QueueKind : int32_t {
  kFifo,      // the first that came in
  kPadding,   // the same; components of different shapes are padded (rule Q41)
  kShuffled,  // any (rule Q40)
  kPriority,  // the one whose first component is smallest (rule Q42)
};

// What nodes that share a queue agree on (rule Q9).
struct QueueType {
  QueueKind kind = QueueKind::kFifo;
  std::vector<DType> types;
  std::vector<PartialShape> shapes;  // of each component; empty: any, and they may differ between elements
  int64_t capacity = -1;             // negative: no limit
  int64_t min_after_dequeue = 0;     // Q40
  int64_t seed = 0, seed2 = 0;
  // Whether `other`, which a later node says, is this queue.
  bool AgreesWith(const QueueType& other) const;
  std::string ToString() const;
};

// Every attempt has a ticket; its answer is fetched once.
class Queue : public Waitable {
 public:
  std::string name;  // for messages; not saved: its node says it again
  QueueType type;

  // What the queue is, said by the first node that makes it.
  void Declare(QueueType declared);

  // Q10: puts the element in when there is room, aliases as they are.
  void Enqueue(int64_t ticket, Tuple element);
  // Q11: puts the rows in, one after the other as there is room; an alias is read when its row goes in.
  void EnqueueRows(int64_t ticket, std::deque<Tuple> rows);
  // Q20: takes an element, aliases as they are.
  void Dequeue(int64_t ticket);
  // Q21–Q23: takes `count` elements; fewer from a closed queue if `or_fewer`. What they hold is no alias any more.
  void DequeueBatch(int64_t ticket, int64_t count, bool or_fewer);
  // Q30, Q31.
  void Close(int64_t ticket, bool cancel_pending_enqueues);

  struct Answer {
    Status status;
    std::deque<Tuple> elements;  // that were taken
  };
  Answer Fetch(int64_t ticket) { return answers_.extract(ticket).mapped(); }
  // Whether it knows of this attempt, answered or not.
  bool Has(int64_t ticket) const;

  // Q6.
  int64_t size() const { return static_cast<int64_t>(elements_.size()); }
  bool is_closed() const { return is_closed_; }

  bool IsServed(int64_t ticket) const override { return answers_.contains(ticket); }
  std::string WaitsFor(int64_t ticket) const override;
  void Drop(int64_t ticket) override;
  std::shared_ptr<Resource> Clone(Copies& copies) const override;
  // S10: without the attempts that wait.
  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  struct Producer {
    int64_t ticket;
    bool closes;                 // a Close in the line of those who put elements in
    bool are_rows;               // of the tensors of an EnqueueMany
    std::deque<Tuple> elements;  // still to be put in
  };
  struct Consumer {
    int64_t ticket;
    int64_t missing;
    bool takes_one;
    bool or_fewer;
    std::deque<Tuple> held;  // taken already
  };

  void Serve();
  bool ServeProducers();
  bool ServeConsumers();
  bool Advance(Producer& producer);
  bool Advance(Consumer& consumer);
  bool MayTakeFromClosed(Consumer& consumer);
  void Put(Tuple element);
  Tuple TakeNext();
  int64_t Available(const Consumer& consumer) const;
  bool IsFull() const { return type.capacity >= 0 && size() >= type.capacity; }
  Status ClosedStatus() const;
  void Succeed(int64_t ticket, std::deque<Tuple> elements = {});
  void Fail(int64_t ticket, Status status) { answers_[ticket] = {std::move(status), {}}; }

  std::deque<Tuple> elements_;
  std::deque<Producer> producers_;
  std::deque<Consumer> consumers_;
  std::map<int64_t, Answer> answers_;
  bool is_closed_ = false;
  uint64_t stream_seed_ = 0, stream_seed2_ = 0;  // Q40: the queue's own where the node's are 0
  int64_t words_taken_ = 0;                      // of that stream
};

}  // namespace plumb::reference
