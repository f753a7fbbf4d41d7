#include "client/input/batch.h"

#include "client/control_flow/cond.h"
#include "client/input/queue.h"

namespace plumb {
namespace {

void CheckOptions(const std::vector<Example>& examples, const BatchOptions& options) {
  Require(!examples.empty() && !examples[0].empty(), "there is no example to make batches of");
  for (const auto& [what, number] : std::vector<std::pair<const char*, int64_t>>{
           {"batch_size", options.batch_size}, {"num_threads", options.num_threads}, {"capacity", options.capacity}}) {
    Require(number > 0, what, " must be positive, not ", number);
  }
  Require(options.batch_size <= INT32_MAX, "a batch of ", options.batch_size, " examples is too large");
  for (const Example& example : examples) {
    Require(example.size() == examples[0].size(), "examples of ", examples[0].size(), " and of ", example.size(),
            " components do not make batches");
    for (size_t i = 0; i < example.size(); ++i) {
      Require(example[i].dtype() == examples[0][i].dtype(), "component ", i, " is ", DTypeName(examples[0][i].dtype()),
              " in one example and ", DTypeName(example[i].dtype()), " in another");
    }
  }
  if (options.keep_input) {
    const int rank = options.enqueue_many ? 1 : 0;
    Require(options.keep_input->dtype() == DType::kBool && options.keep_input->shape().rank() == rank,
            "keep_input must be a bool ", rank == 0 ? "scalar" : "for each row", ", not ",
            DTypeName(options.keep_input->dtype()), " of shape ", options.keep_input->shape().ToString());
  }
}

// What all sources agree on: sizes that differ are not known.
PartialShape Common(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank() || a.rank() != b.rank()) return PartialShape::Unknown();
  std::vector<int64_t> dims(a.dims().begin(), a.dims().end());
  for (int axis = 0; axis < a.rank(); ++axis) {
    if (dims[axis] != b.dim(axis)) dims[axis] = -1;
  }
  return PartialShape(dims);
}

PartialShape ElementShape(const PartialShape& shape, bool enqueue_many) {
  if (!enqueue_many || !shape.has_rank()) return shape;
  Require(shape.rank() > 0, "a scalar has no rows to be examples");
  return PartialShape(std::vector<int64_t>(shape.dims().begin() + 1, shape.dims().end()));
}

std::vector<PartialShape> ElementShapes(const std::vector<Example>& examples, const BatchOptions& options) {
  std::vector<PartialShape> shapes = options.shapes;
  if (shapes.empty()) {
    for (size_t i = 0; i < examples[0].size(); ++i) {
      PartialShape shape = ElementShape(examples[0][i].shape(), options.enqueue_many);
      for (const Example& example : examples) {
        shape = Common(shape, ElementShape(example[i].shape(), options.enqueue_many));
      }
      shapes.push_back(shape);
    }
  }
  for (const PartialShape& shape : shapes) {
    Require(options.dynamic_pad ? shape.has_rank() : shape.IsFullyDefined(), "examples of shape ", shape.ToString(),
            " do not make batches: all shapes must be known", options.dynamic_pad ? " up to their sizes" : "");
  }
  return shapes;
}

// Those rows that are kept.
Example Kept(Scope& scope, const Example& example, Output keep) {
  const Output rows = scope.Call("Squeeze", {scope.Call("Where", {keep})}, {{"squeeze_dims", std::vector<int64_t>{1}}});
  Example kept;
  for (const Output& component : example) {
    kept.push_back(scope.Call("GatherV2", {component, rows, Constant(scope, int32_t{0})}));
  }
  return kept;
}

NodeId Enqueue(Scope& scope, const Queue& queue, const Example& example, const BatchOptions& options) {
  if (options.enqueue_many) {
    return queue.EnqueueMany(scope, options.keep_input ? Kept(scope, example, *options.keep_input) : example);
  }
  if (!options.keep_input) return queue.Enqueue(scope, example);
  const auto put = [&] {
    const auto after = scope.After({queue.Enqueue(scope, example)});
    return Constant(scope, true);
  };
  return Cond(scope, *options.keep_input, std::function<Output()>(put), [&] { return Constant(scope, false); }).node();
}

Example MakeBatches(Scope& scope, const std::vector<Example>& examples, const BatchOptions& options,
                    QueueOptions queue_options) {
  CheckOptions(examples, options);
  for (const Output& component : examples[0]) queue_options.types.push_back(component.dtype());
  queue_options.shapes = ElementShapes(examples, options);
  queue_options.capacity = options.capacity;
  queue_options.shared_name = options.shared_name;
  const Queue queue(scope, queue_options);
  std::vector<NodeId> enqueues;
  for (const Example& example : examples) {
    const NodeId enqueue = Enqueue(scope, queue, example, options);
    enqueues.insert(enqueues.end(), static_cast<size_t>(options.num_threads), enqueue);
  }
  AddQueueRunner(scope, {queue}, enqueues);
  const Output size = Constant(scope, static_cast<int32_t>(options.batch_size));
  return queue.DequeueMany(scope, size, options.allow_smaller_final_batch);
}

std::string NameOr(const BatchOptions& options, const char* name) { return options.name.empty() ? name : options.name; }

QueueOptions InOrder(const BatchOptions& options) {
  return {.order = options.dynamic_pad ? QueueOptions::Order::kPadding : QueueOptions::Order::kFirstInFirstOut};
}

QueueOptions Shuffled(const BatchOptions& options, const ShuffleOptions& shuffle) {
  Require(!options.dynamic_pad, "a shuffled queue does not pad");
  Require(shuffle.min_after_dequeue >= 0 && shuffle.min_after_dequeue < options.capacity, "min_after_dequeue ",
          shuffle.min_after_dequeue, " must be less than the capacity ", options.capacity);
  return {
      .order = QueueOptions::Order::kShuffled, .min_after_dequeue = shuffle.min_after_dequeue, .seed = shuffle.seed};
}

}  // namespace

Example Batch(Scope& scope, const Example& example, const BatchOptions& options) {
  const auto named = scope.Sub(NameOr(options, "batch"));
  return MakeBatches(scope, {example}, options, InOrder(options));
}

Example BatchJoin(Scope& scope, const std::vector<Example>& examples, const BatchOptions& options) {
  Require(options.num_threads == 1, "each source has one thread; give it twice where it may have two");
  const auto named = scope.Sub(NameOr(options, "batch_join"));
  return MakeBatches(scope, examples, options, InOrder(options));
}

Example ShuffleBatch(Scope& scope, const Example& example, const BatchOptions& options, const ShuffleOptions& shuffle) {
  const auto named = scope.Sub(NameOr(options, "shuffle_batch"));
  return MakeBatches(scope, {example}, options, Shuffled(options, shuffle));
}

Example ShuffleBatchJoin(Scope& scope, const std::vector<Example>& examples, const BatchOptions& options,
                         const ShuffleOptions& shuffle) {
  Require(options.num_threads == 1, "each source has one thread; give it twice where it may have two");
  const auto named = scope.Sub(NameOr(options, "shuffle_batch_join"));
  return MakeBatches(scope, examples, options, Shuffled(options, shuffle));
}

Example MaybeBatch(Scope& scope, const Example& example, Output keep_input, BatchOptions options) {
  options.keep_input = keep_input;
  return Batch(scope, example, options);
}

}  // namespace plumb
