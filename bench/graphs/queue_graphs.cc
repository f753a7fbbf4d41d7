// A graph for each kind of queue and each way through it: what is put in comes out in the same step.
#include "bench/graphs/named.h"

namespace plumb::bench {
namespace {

using Types = std::vector<DType>;
using Shapes = std::vector<PartialShape>;

constexpr char kQueues[] = "data_flow";
constexpr int64_t kRows = 1000, kWidth = 16, kLength = 100;
const Types kOneFloat = {DType::kFloat};

AttrMap OfTypes(const Types& types) { return {{"component_types", types}}; }

Output MakeQueue(Scope& scope, const std::string& op, const Types& types, const Shapes& shapes, AttrMap attrs = {}) {
  attrs["component_types"] = types;
  attrs["shapes"] = shapes;
  return scope.Call(op, {}, std::move(attrs));
}

NodeId Enqueue(Scope& scope, const Output& queue, const Output& element) {
  return scope.Add("QueueEnqueueV2", {queue, element}, {{"Tcomponents", kOneFloat}});
}

BenchGraph OneByOne() {
  Scope scope;
  const Output queue = MakeQueue(scope, "FIFOQueueV2", kOneFloat, {}), element = Floats(scope, {kLength});
  ChainBuilder builder(scope);
  for (int i = 0; i < kCalls; ++i) {
    builder.Add("QueueEnqueueV2", {queue, element}, {{"Tcomponents", kOneFloat}});
    builder.Add("QueueDequeueV2", {queue}, OfTypes(kOneFloat));
  }
  return Named("QueueEnqueueV2", kQueues, scope, builder.last(), kCalls);
}

// Those that take wait for those that put.
BenchGraph Waiting() {
  Scope scope;
  const Output queue = MakeQueue(scope, "FIFOQueueV2", kOneFloat, {}), element = Floats(scope, {kLength});
  std::vector<NodeId> nodes;
  for (int i = 0; i < kCalls; ++i) nodes.push_back(scope.Add("QueueDequeueV2", {queue}, OfTypes(kOneFloat)));
  for (int i = 0; i < kCalls; ++i) nodes.push_back(Enqueue(scope, queue, element));
  return Named("QueueDequeueV2", kQueues, scope, scope.Group(nodes), kCalls);
}

// A batch of elements that are put in one by one.
BenchGraph Batching() {
  Scope scope;
  const Output queue = MakeQueue(scope, "FIFOQueueV2", kOneFloat, {PartialShape({kLength})});
  const Output element = Floats(scope, {kLength}), count = Constant(scope, kCalls);
  std::vector<NodeId> nodes = {scope.Add("QueueDequeueManyV2", {queue, count}, OfTypes(kOneFloat))};
  for (int i = 0; i < kCalls; ++i) nodes.push_back(Enqueue(scope, queue, element));
  return Named("QueueDequeueManyV2", kQueues, scope, scope.Group(nodes), kCalls);
}

// Many at once into a queue and out of it.
BenchGraph Many(const std::string& name, const std::string& kind, const std::string& dequeue, AttrMap attrs = {}) {
  Scope scope;
  const Output queue = MakeQueue(scope, kind, kOneFloat, {PartialShape({kWidth})}, std::move(attrs));
  const Output rows = Floats(scope, {kRows, kWidth}), count = Constant<int32_t>(scope, kRows);
  ChainBuilder builder(scope);
  builder.Add("QueueEnqueueManyV2", {queue, rows}, {{"Tcomponents", kOneFloat}});
  return Named(name, kQueues, scope, builder.Add(dequeue, {queue, count}, OfTypes(kOneFloat)), kRows);
}

BenchGraph Padding() {
  Scope scope;
  const Output queue = MakeQueue(scope, "PaddingFIFOQueueV2", kOneFloat, {PartialShape({-1})});
  const Output count = Constant(scope, kCalls);
  std::vector<NodeId> nodes = {scope.Add("QueueDequeueManyV2", {queue, count}, OfTypes(kOneFloat))};
  for (int i = 0; i < kCalls; ++i) nodes.push_back(Enqueue(scope, queue, Floats(scope, {1 + i * 7 % kLength})));
  return Named("PaddingFIFOQueueV2", kQueues, scope, scope.Group(nodes), kCalls);
}

BenchGraph ByPriority() {
  Scope scope;
  const Types all = {DType::kInt64, DType::kFloat};
  const Output queue = MakeQueue(scope, "PriorityQueueV2", kOneFloat, {PartialShape({kWidth})});
  const Output priorities = Values<int64_t>(scope, kRows, [](int64_t i) { return i * 7919 % kRows; });
  const Output rows = Floats(scope, {kRows, kWidth}), count = Constant<int32_t>(scope, kRows);
  ChainBuilder builder(scope);
  builder.Add("QueueEnqueueManyV2", {queue, priorities, rows}, {{"Tcomponents", all}});
  return Named("PriorityQueueV2", kQueues, scope, builder.Add("QueueDequeueManyV2", {queue, count}, OfTypes(all)),
               kRows);
}

BenchGraph Asking(const std::string& op) {
  Scope scope;
  return Beside(op, kQueues, scope, {MakeQueue(scope, "FIFOQueueV2", kOneFloat, {})});
}

const Types kParts = {DType::kFloat, DType::kInt64};

Output MakeBarrier(Scope& scope) {
  return scope.Call("Barrier", {}, {{"component_types", kParts}, {"shapes", Shapes{PartialShape({kWidth}), {}}}});
}

// Tuples whose two parts come one after the other.
BenchGraph Completing() {
  Scope scope;
  const Output barrier = MakeBarrier(scope);
  const Output keys = Values<std::string>(scope, kRows, [](int64_t i) { return Str("key", i * 7919 % kRows); });
  const Output rows = Floats(scope, {kRows, kWidth}), count = Constant<int32_t>(scope, kRows);
  const Output numbers = Values<int64_t>(scope, kRows, [](int64_t i) { return i; });
  ChainBuilder builder(scope);
  builder.Add("BarrierInsertMany", {barrier, keys, rows}, {{"T", DType::kFloat}, {"component_index", 0}});
  builder.Add("BarrierInsertMany", {barrier, keys, numbers}, {{"T", DType::kInt64}, {"component_index", 1}});
  const NodeId taken = builder.Add("BarrierTakeMany", {barrier, count}, OfTypes(kParts));
  return Named("BarrierInsertMany", kQueues, scope, taken, kRows);
}

BenchGraph AskingBarrier(const std::string& op) {
  Scope scope;
  return Beside(op, kQueues, scope, {MakeBarrier(scope)});
}

}  // namespace

std::vector<BenchGraph> QueueGraphs() {
  return {OneByOne(),
          Waiting(),
          Batching(),
          Many("QueueEnqueueManyV2", "FIFOQueueV2", "QueueDequeueManyV2"),
          Many("QueueDequeueUpToV2", "FIFOQueueV2", "QueueDequeueUpToV2"),
          Many("RandomShuffleQueueV2", "RandomShuffleQueueV2", "QueueDequeueManyV2", {{"seed", 3}, {"seed2", 8}}),
          Padding(),
          ByPriority(),
          Asking("QueueSizeV2"),
          Asking("QueueIsClosedV2"),
          Completing(),
          AskingBarrier("BarrierReadySize"),
          AskingBarrier("BarrierIncompleteSize")};
}

}  // namespace plumb::bench
