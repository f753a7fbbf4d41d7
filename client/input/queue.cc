#include "client/input/queue.h"

namespace plumb {
namespace {

Output MakeQueue(Scope& scope, QueueOptions::Order order, const AttrMap& attrs, const std::string& name) {
  switch (order) {
    case QueueOptions::Order::kFirstInFirstOut:
      return scope.Call("FIFOQueueV2", {}, attrs, name);
    case QueueOptions::Order::kPadding:
      return scope.Call("PaddingFIFOQueueV2", {}, attrs, name);
    case QueueOptions::Order::kShuffled:
      return scope.Call("RandomShuffleQueueV2", {}, attrs, name);
  }
  throw Internal("an order of queues that does not exist");
}

// With an axis more in front.
PartialShape Stacked(const PartialShape& element, int64_t count) {
  if (!element.has_rank()) return element;
  std::vector<int64_t> dims(element.dims().begin(), element.dims().end());
  dims.insert(dims.begin(), count);
  return PartialShape(dims);
}

}  // namespace

Queue::Queue(Scope& scope, const QueueOptions& options) : options_(options) {
  Require(!options.types.empty(), "a queue needs elements with a component");
  Require(options.shapes.size() == options.types.size(), "a queue of ", options.types.size(), " components has ",
          options.shapes.size(), " shapes");
  AttrMap attrs = {{"component_types", options.types},
                   {"shapes", options.shapes},
                   {"capacity", options.capacity},
                   {"shared_name", options.shared_name}};
  if (options.order == QueueOptions::Order::kShuffled) {
    attrs["min_after_dequeue"] = options.min_after_dequeue;
    attrs["seed"] = options.seed;
    attrs["seed2"] = int64_t{1};
  }
  handle_ = MakeQueue(scope, options.order, attrs, options.name);
}

NodeId Queue::Enqueue(Scope& scope, const std::vector<Output>& components) const {
  std::vector<Output> inputs = {handle_};
  inputs.insert(inputs.end(), components.begin(), components.end());
  return scope.Add("QueueEnqueueV2", inputs);
}

NodeId Queue::EnqueueMany(Scope& scope, const std::vector<Output>& components) const {
  std::vector<Output> inputs = {handle_};
  inputs.insert(inputs.end(), components.begin(), components.end());
  return scope.Add("QueueEnqueueManyV2", inputs);
}

std::vector<Output> Queue::Outputs(Scope& scope, NodeId dequeue, const std::vector<PartialShape>& shapes) const {
  std::vector<Output> outputs;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const Output output{&scope.builder(), {dequeue, static_cast<int>(i)}};
    scope.builder().set_shape(output, output.shape().MergeWith(shapes[i]));
    outputs.push_back(output);
  }
  return outputs;
}

std::vector<Output> Queue::Dequeue(Scope& scope) const {
  const NodeId node = scope.Add("QueueDequeueV2", {handle_}, {{"component_types", options_.types}});
  return Outputs(scope, node, options_.shapes);
}

std::vector<Output> Queue::DequeueMany(Scope& scope, Output count, bool up_to) const {
  const NodeId node = scope.Add(up_to ? "QueueDequeueUpToV2" : "QueueDequeueManyV2", {handle_, count},
                                {{"component_types", options_.types}});
  const Tensor* known = up_to ? nullptr : scope.builder().constant(count);
  const int64_t rows = known == nullptr ? -1 : known->scalar<int32_t>();
  std::vector<PartialShape> shapes;
  for (const PartialShape& shape : options_.shapes) shapes.push_back(Stacked(shape, rows));
  return Outputs(scope, node, shapes);
}

Output Queue::Size(Scope& scope) const { return scope.Call("QueueSizeV2", {handle_}); }

NodeId Queue::Close(Scope& scope, bool cancel_pending_enqueues) const {
  return scope.Add("QueueCloseV2", {handle_}, {{"cancel_pending_enqueues", cancel_pending_enqueues}});
}

void AddQueueRunner(Scope& scope, const std::vector<Queue>& queues, const std::vector<NodeId>& enqueues,
                    const std::vector<Code>& closed_statuses) {
  QueueRunnerNodes runner;
  runner.queue = scope.NameOf(queues.at(0).handle().node());
  for (const NodeId enqueue : enqueues) runner.enqueue.push_back(scope.NameOf(enqueue));
  std::vector<NodeId> closes, cancels;
  for (const Queue& queue : queues) {
    closes.push_back(queue.Close(scope, false));
    cancels.push_back(queue.Close(scope, true));
  }
  runner.close = scope.NameOf(closes.size() == 1 ? closes[0] : scope.Group(closes, "close"));
  runner.cancel = scope.NameOf(cancels.size() == 1 ? cancels[0] : scope.Group(cancels, "cancel"));
  runner.closed_statuses = closed_statuses;
  scope.queue_runners().push_back(std::move(runner));
}

}  // namespace plumb
