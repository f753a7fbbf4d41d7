// Queues with the threads that fill them.
#pragma once

#include <string>
#include <vector>

#include "client/scope.h"

namespace plumb {

struct QueueOptions {
  enum class Order { kFirstInFirstOut, kPadding, kShuffled };
  Order order = Order::kFirstInFirstOut;
  std::vector<DType> types = {};
  std::vector<PartialShape> shapes = {};  // of an element's components; unknown sizes where the queue pads
  int64_t capacity = 32;
  int64_t min_after_dequeue = 0, seed = 0;  // of a shuffled one
  std::string shared_name = {};
  std::string name = {};
};

class Queue {
 public:
  Queue(Scope& scope, const QueueOptions& options);

  NodeId Enqueue(Scope& scope, const std::vector<Output>& components) const;
  // Rows of the components are elements.
  NodeId EnqueueMany(Scope& scope, const std::vector<Output>& components) const;
  std::vector<Output> Dequeue(Scope& scope) const;
  // `count` (an int32 scalar) elements stacked; `up_to`: fewer where the queue is closed and holds no more.
  std::vector<Output> DequeueMany(Scope& scope, Output count, bool up_to) const;
  Output Size(Scope& scope) const;
  NodeId Close(Scope& scope, bool cancel_pending_enqueues) const;

  Output handle() const { return handle_; }

 private:
  std::vector<Output> Outputs(Scope& scope, NodeId dequeue, const std::vector<PartialShape>& shapes) const;

  QueueOptions options_;
  Output handle_;
};

// Has one thread for each enqueue (which may be named several times) fill the queues, and close them when all have come
// to the end of the data.
void AddQueueRunner(Scope& scope, const std::vector<Queue>& queues, const std::vector<NodeId>& enqueues,
                    const std::vector<Code>& closed_statuses = {Code::kOutOfRange});

}  // namespace plumb
