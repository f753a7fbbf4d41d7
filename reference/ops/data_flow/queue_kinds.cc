// The ops that make queues (rules Q3, Q9, Q40–Q42).
#include <algorithm>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/named_resource.h"
#include "reference/state/queue.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

QueueType TypeOf(const Node& node, QueueKind kind) {
  QueueType type;
  type.kind = kind;
  type.types = GetAttr<std::vector<DType>>(node.attrs, "component_types");
  type.shapes = GetAttr<std::vector<PartialShape>>(node.attrs, "shapes");
  Require(type.shapes.empty() || type.shapes.size() == type.types.size(), "there are ", type.shapes.size(),
          " shapes for ", type.types.size(), " components");  // Q3
  type.capacity = std::max<int64_t>(Int32Attr(node, "capacity"), -1);
  return type;
}

void CheckShapesAreKnown(const Node& node, QueueType& type) {
  for (PartialShape& shape : type.shapes) {
    if (!shape.has_rank()) shape = Shape();
    Require(shape.IsFullyDefined(), "node ", node.name, ": the shape ", shape.ToString(),
            " of a component must be fully known");  // Q3
  }
}

QueueType FifoType(const Node& node) {
  QueueType type = TypeOf(node, QueueKind::kFifo);
  CheckShapesAreKnown(node, type);
  return type;
}

// Q41.
QueueType PaddingType(const Node& node) {
  QueueType type = TypeOf(node, QueueKind::kPadding);
  Require(type.shapes.size() == type.types.size(), "node ", node.name, ": there must be a shape for each of the ",
          type.types.size(), " components, not ", type.shapes.size());
  for (const PartialShape& shape : type.shapes) {
    Require(shape.has_rank(), "node ", node.name, ": the shape of a component must have a known rank");
  }
  return type;
}

// Q40.
QueueType ShuffledType(const Node& node) {
  QueueType type = TypeOf(node, QueueKind::kShuffled);
  CheckShapesAreKnown(node, type);
  type.min_after_dequeue = Int32Attr(node, "min_after_dequeue");
  Require(type.min_after_dequeue >= 0, "node ", node.name, ": min_after_dequeue must not be negative, but is ",
          type.min_after_dequeue);
  Require(type.capacity < 0 || type.min_after_dequeue < type.capacity, "node ", node.name, ": min_after_dequeue is ",
          type.min_after_dequeue, " and must be below the capacity, which is ", type.capacity);
  type.seed = GetAttr<int64_t>(node.attrs, "seed");
  type.seed2 = GetAttr<int64_t>(node.attrs, "seed2");
  return type;
}

// Q42: the priority is a component of its own, before all others.
QueueType PriorityType(const Node& node) {
  QueueType type = TypeOf(node, QueueKind::kPriority);
  CheckShapesAreKnown(node, type);
  Require(type.shapes.size() == type.types.size() && !type.types.empty(),
          "a priority queue must have components, and say the shape of each of its ", type.types.size());
  type.types.insert(type.types.begin(), DType::kInt64);
  type.shapes.insert(type.shapes.begin(), PartialShape(Shape()));
  return type;
}

void MakeQueue(OpContext& c, const QueueType& type) {
  const ResourceName name = NameOf(c.node);
  Queue& queue = c.resources.FindOrCreate<Queue>(name);
  if (queue.name.empty()) {
    const std::string& shared_name = c.attr<std::string>("shared_name");
    queue.name = shared_name.empty() ? c.node.name : shared_name;
  }
  if (queue.type.types.empty()) queue.Declare(type);
  Require(queue.type.AgreesWith(type), "the shared queue '", queue.name, "' is a ", queue.type.ToString(), ", not a ",
          type.ToString());  // Q9
  OutputHandle(c, name, kQueueType);
}

template <QueueType type_of(const Node&)>
void Make(OpContext& c) {
  MakeQueue(c, type_of(c.node));
}
template <QueueType type_of(const Node&)>
void Check(const Node& node) {
  type_of(node);
}

constexpr KernelRow kRows[] = {
    {"FIFOQueue", Make<FifoType>, Check<FifoType>},
    {"FIFOQueueV2", Make<FifoType>, Check<FifoType>},
    {"PaddingFIFOQueue", Make<PaddingType>, Check<PaddingType>},
    {"PaddingFIFOQueueV2", Make<PaddingType>, Check<PaddingType>},
    {"RandomShuffleQueue", Make<ShuffledType>, Check<ShuffledType>},
    {"RandomShuffleQueueV2", Make<ShuffledType>, Check<ShuffledType>},
    {"PriorityQueue", Make<PriorityType>, Check<PriorityType>},
    {"PriorityQueueV2", Make<PriorityType>, Check<PriorityType>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowQueueKinds() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
