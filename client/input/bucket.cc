#include "client/input/bucket.h"

#include "client/control_flow/cond.h"
#include "client/input/queue.h"

namespace plumb {
namespace {

int64_t BatchSize(const BucketOptions& options, int bucket) {
  return options.batch_sizes.size() == 1 ? options.batch_sizes[0] : options.batch_sizes[static_cast<size_t>(bucket)];
}

void CheckOptions(const Example& example, Output which, int num_buckets, const BucketOptions& options) {
  Require(!example.empty(), "there is no example to put into buckets");
  Require(num_buckets > 0, "examples need a positive number of buckets, not ", num_buckets);
  Require(options.batch_sizes.size() == 1 || options.batch_sizes.size() == static_cast<size_t>(num_buckets),
          num_buckets, " buckets need one batch size or as many, not ", options.batch_sizes.size());
  for (const int64_t size : options.batch_sizes) {
    Require(size > 0 && size <= INT32_MAX, "batch_size must be from 1 to 2^31 - 1, not ", size);
  }
  Require(options.num_threads > 0 && options.capacity > 0, "num_threads and capacity must be positive");
  Require(which.dtype() == DType::kInt32 && which.shape().rank() <= 0, "the bucket must be an int32 scalar");
}

std::vector<PartialShape> ElementShapes(const Example& example, const BucketOptions& options) {
  std::vector<PartialShape> shapes = options.shapes;
  if (shapes.empty()) {
    for (const Output& component : example) shapes.push_back(component.shape());
  }
  for (const PartialShape& shape : shapes) {
    Require(options.dynamic_pad ? shape.has_rank() : shape.IsFullyDefined(), "examples of shape ", shape.ToString(),
            " do not make batches: all shapes must be known", options.dynamic_pad ? " up to their sizes" : "");
  }
  return shapes;
}

// An op, where the condition holds.
NodeId When(Scope& scope, Output condition, const std::function<NodeId()>& make) {
  const auto then = [&] {
    const auto after = scope.After({make()});
    return Constant(scope, true);
  };
  return Cond(scope, condition, std::function<Output()>(then), [&] { return Constant(scope, false); }).node();
}

class Buckets {
 public:
  Buckets(Scope& scope, const Example& example, int count, const BucketOptions& options)
      : scope_(scope), example_(example), options_(options), count_(count), shapes_(ElementShapes(example, options)) {
    for (const Output& component : example) types_.push_back(component.dtype());
    for (int i = 0; i < count; ++i) {
      queues_.emplace_back(scope, QueueOptions{.order = options.dynamic_pad ? QueueOptions::Order::kPadding
                                                                            : QueueOptions::Order::kFirstInFirstOut,
                                               .types = types_,
                                               .shapes = shapes_,
                                               .capacity = options.capacity,
                                               .shared_name = SharedName(Str("bucket_", i)),
                                               .name = Str("bucket_queue_", i)});
    }
  }

  Bucketed Run(Output which) {
    const std::vector<Code> over = {Code::kOutOfRange, Code::kCancelled};
    const NodeId fill = Fill(which);
    AddQueueRunner(scope_, queues_, std::vector<NodeId>(static_cast<size_t>(options_.num_threads), fill), over);
    const Queue top = MakeTop();
    std::vector<NodeId> moves;
    for (int i = 0; i < count_; ++i) moves.push_back(Move(top, i));
    AddQueueRunner(scope_, {top}, moves, over);
    const std::vector<Output> batch = top.Dequeue(scope_);
    return {batch[0], Example(batch.begin() + 1, batch.end())};
  }

 private:
  std::string SharedName(const std::string& queue) const {
    return options_.shared_name.empty() ? "" : options_.shared_name + "_" + queue;
  }

  // The example into its bucket.
  NodeId Fill(Output which) {
    const auto into_one = [&] {
      std::vector<NodeId> enqueues;
      for (int i = 0; i < count_; ++i) {
        const Output is_it = scope_.Call("Equal", {which, Constant(scope_, i)});
        enqueues.push_back(
            When(scope_, is_it, [&] { return queues_[static_cast<size_t>(i)].Enqueue(scope_, example_); }));
      }
      return scope_.Group(enqueues, "group_enqueues");
    };
    return options_.keep_input ? When(scope_, *options_.keep_input, into_one) : into_one();
  }

  // Batches with the number of their bucket. Their sizes may differ, which only a padding queue allows for.
  Queue MakeTop() const {
    QueueOptions top = {.order = QueueOptions::Order::kPadding,
                        .types = {DType::kInt32},
                        .shapes = {PartialShape(Shape())},
                        .capacity = options_.capacity,
                        .shared_name = SharedName("top"),
                        .name = "top_queue"};
    const bool is_fixed = !options_.allow_smaller_final_batch && options_.batch_sizes.size() == 1;
    top.types.insert(top.types.end(), types_.begin(), types_.end());
    for (const PartialShape& shape : shapes_) {
      std::vector<int64_t> dims(shape.dims().begin(), shape.dims().end());
      dims.insert(dims.begin(), is_fixed ? options_.batch_sizes[0] : -1);
      top.shapes.emplace_back(dims);
    }
    return Queue(scope_, top);
  }

  NodeId Move(const Queue& top, int bucket) {
    const Output size = Constant(scope_, static_cast<int32_t>(BatchSize(options_, bucket)));
    std::vector<Output> batch =
        queues_[static_cast<size_t>(bucket)].DequeueMany(scope_, size, options_.allow_smaller_final_batch);
    batch.insert(batch.begin(), Constant(scope_, bucket));
    return top.Enqueue(scope_, batch);
  }

  Scope& scope_;
  const Example& example_;
  const BucketOptions& options_;
  int count_;
  std::vector<DType> types_;
  std::vector<PartialShape> shapes_;
  std::vector<Queue> queues_;
};

}  // namespace

Bucketed Bucket(Scope& scope, const Example& example, Output which, int num_buckets, const BucketOptions& options) {
  CheckOptions(example, which, num_buckets, options);
  const auto named = scope.Sub(options.name.empty() ? "bucket" : options.name);
  return Buckets(scope, example, num_buckets, options).Run(which);
}

BucketedByLength BucketBySequenceLength(Scope& scope, Output length, const Example& example,
                                        const std::vector<int32_t>& boundaries, const BucketOptions& options) {
  Require(!boundaries.empty(), "examples are sorted into buckets by at least one boundary");
  for (size_t i = 1; i < boundaries.size(); ++i) {
    Require(boundaries[i - 1] < boundaries[i], "boundaries must grow, but ", boundaries[i], " follows ",
            boundaries[i - 1]);
  }
  Require(length.dtype() == DType::kInt32 && length.shape().rank() == 0, "the length must be an int32 scalar, not ",
          DTypeName(length.dtype()), " of shape ", length.shape().ToString());
  const auto named = scope.Sub(options.name.empty() ? "bucket_by_sequence_length" : options.name);
  const Output ends = Constant(scope, MakeTensor<int32_t>({static_cast<int64_t>(boundaries.size())}, boundaries));
  // As many boundaries as are not above the length.
  const Output passed = AsType(ends <= length, DType::kInt32);
  const Output which = scope.Call("Sum", {passed, Constant<int32_t>(scope, {0})});
  Example with_length = {length};
  with_length.insert(with_length.end(), example.begin(), example.end());
  BucketOptions inner = options;
  inner.name = "bucket";
  if (!options.shapes.empty()) inner.shapes.insert(inner.shapes.begin(), PartialShape(Shape()));
  const Bucketed bucketed = Bucket(scope, with_length, which, static_cast<int>(boundaries.size()) + 1, inner);
  return {bucketed.batch[0], Example(bucketed.batch.begin() + 1, bucketed.batch.end())};
}

}  // namespace plumb
