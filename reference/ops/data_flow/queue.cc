// The ops on queues (rules Q1–Q42), of whatever kind they are. What a queue does with an attempt is said in
// reference/state/queue.cc.
#include "reference/state/queue.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/named_resource.h"

namespace plumb::reference {
namespace {

// ---- Attempts ------------------------------------------------------------------------------------------------------

// Q4.
void CheckTimeout(const Node& node) {
  Require(GetAttr<int64_t>(node.attrs, "timeout_ms") == -1, "Timeout not supported: timeout_ms must be -1");
}

std::shared_ptr<Queue> QueueOf(const OpContext& c) {
  const ResourceName name = NamedBy(c, kQueueType);
  auto queue = c.resources.Share<Queue>(name);
  // The attempt was made at a queue that is gone, though there may be another one in its place.
  if (queue != nullptr && c.resumed && !queue->Has(c.execution)) queue = nullptr;
  if (queue == nullptr) throw NotFound("there is no queue '", name.name, "' in the container '", name.container, "'");
  return queue;
}

// Makes the attempt when the kernel first runs. Nothing while there is no answer: then the kernel waits.
std::optional<std::deque<Tuple>> Answered(OpContext& c, const std::shared_ptr<Queue>& queue,
                                          const std::function<void()>& attempt) {
  if (!c.resumed) attempt();
  if (!queue->IsServed(c.execution)) {
    c.Park(queue);
    return std::nullopt;
  }
  Queue::Answer answer = queue->Fetch(c.execution);
  if (!answer.status.ok()) throw Error(answer.status);
  return std::move(answer.elements);
}

// ---- Putting elements in -------------------------------------------------------------------------------------------

// Q2.
void CheckComponents(const OpContext& c, const QueueType& type) {
  Require(c.num_inputs() - 1 == std::ssize(type.types), "the queue has ", type.types.size(), " components, not ",
          c.num_inputs() - 1);
  for (size_t i = 0; i < type.types.size(); ++i) {
    const DType dtype = c.tensor(static_cast<int>(i) + 1).dtype();
    Require(dtype == type.types[i], "component ", i, " of the queue is ", DTypeName(type.types[i]), ", not ",
            DTypeName(dtype));
  }
}

void CheckShape(const QueueType& type, size_t component, const Shape& shape) {
  Require(type.shapes.empty() || type.shapes[component].IsCompatibleWith(shape), "component ", component,
          " of an element has the shape ", shape.ToString(), ", which does not fit the queue's ",
          type.shapes.empty() ? "" : type.shapes[component].ToString());
}

void Enqueue(OpContext& c) {
  const auto queue = QueueOf(c);
  Answered(c, queue, [&] {
    CheckComponents(c, queue->type);
    Tuple element;
    for (size_t i = 0; i < queue->type.types.size(); ++i) {
      element.push_back(c.input(static_cast<int>(i) + 1));
      CheckShape(queue->type, i, element.back().tensor.shape());
    }
    queue->Enqueue(c.execution, std::move(element));
  });
}

// Of an alias, an alias.
Value Row(const Value& value, int64_t row) {
  return Reshaped(RowsOf(value, row, 1), WithoutAxis(value.tensor.shape(), 0));
}

void EnqueueMany(OpContext& c) {
  const auto queue = QueueOf(c);
  Answered(c, queue, [&] {
    CheckComponents(c, queue->type);
    for (int i = 1; i < c.num_inputs(); ++i) {
      const Shape& shape = c.tensor(i).shape();
      Require(shape.rank() >= 1, "component ", i - 1, " has no rows: it is a scalar");
      Require(shape.dim(0) == c.tensor(1).dim(0), "the components have ", c.tensor(1).dim(0), " and ", shape.dim(0),
              " rows");
      CheckShape(queue->type, i - 1, WithoutAxis(shape, 0));
    }
    std::deque<Tuple> elements;
    for (int64_t row = 0; row < c.tensor(1).dim(0); ++row) {
      Tuple& element = elements.emplace_back();
      for (int i = 1; i < c.num_inputs(); ++i) element.push_back(Row(c.input(i), row));
    }
    queue->EnqueueRows(c.execution, std::move(elements));
  });
}

// ---- Taking elements out -------------------------------------------------------------------------------------------

void CheckOutputs(const OpContext& c, const QueueType& type) {
  std::string asked;
  const auto component_types = c.attr<std::vector<DType>>("component_types");
  for (const DType dtype : component_types) asked += Str(asked.empty() ? "" : ", ", DTypeName(dtype));
  Require(component_types == type.types, "the queue is a ", type.ToString(), ", but the components (", asked,
          ") are asked for");
}

void Dequeue(OpContext& c) {
  const auto queue = QueueOf(c);
  auto elements = Answered(c, queue, [&] {
    CheckOutputs(c, queue->type);
    queue->Dequeue(c.execution);
  });
  if (!elements) return;
  for (size_t i = 0; i < c.outputs.size(); ++i) c.Output(static_cast<int>(i), std::move(elements->front()[i]));
}

// The shape that holds component i of each element: as the queue says, or as long as the longest (rule Q41).
Shape RowShape(const QueueType& type, size_t i, const std::deque<Tuple>& elements) {
  std::vector<int64_t> dims = type.shapes[i].dims();
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis] >= 0) continue;
    dims[axis] = 0;
    for (const Tuple& element : elements) {
      dims[axis] = std::max(dims[axis], element[i].tensor.shape().dim(static_cast<int>(axis)));
    }
  }
  return Shape(dims);
}

// Q41.
void CheckPadding(const QueueType& type, size_t i, const std::deque<Tuple>& elements) {
  if (type.shapes[i].IsFullyDefined() || elements.empty()) return;
  if (type.shapes[i].rank() <= 4 && !IsQuantized(type.types[i])) return;
  throw Unimplemented("component ", i, " of the queue, ", DTypeName(type.types[i]), " of shape ",
                      type.shapes[i].ToString(), ", is not padded: it is quantised or has more than 4 dimensions");
}

// Component i of all elements, one behind the other.
Value Batch(const QueueType& type, size_t i, const std::deque<Tuple>& elements) {
  CheckPadding(type, i, elements);
  const Shape row_shape = RowShape(type, i, elements);
  const Shape shape = WithInserted(row_shape, 0, std::ssize(elements));
  CheckResultSize(shape);
  Assembly batch(type.types[i], shape);
  const std::vector<int64_t> strides = Strides(row_shape);
  for (size_t row = 0; row < elements.size(); ++row) {
    const Value& element = elements[row][i];
    Walk to(element.tensor.shape(), strides, static_cast<int64_t>(row) * row_shape.elements());
    for (int64_t from = 0; from < element.tensor.elements(); ++from, to.Next()) {
      batch.Copy(to.position(), element, from);
    }
  }
  return batch.Take();
}

void DequeueBatch(OpContext& c, bool or_fewer) {
  const auto queue = QueueOf(c);
  const auto elements = Answered(c, queue, [&] {
    const Tensor& n = c.tensor(1);
    Require(n.elements() > 0, "n must be a number, not of shape ", n.shape().ToString());
    const int64_t count = n.data<int32_t>()[0];  // Q21: of several the first
    Require(count >= 0, "n elements are taken: n must not be negative, but is ", count);
    CheckOutputs(c, queue->type);
    Require(!queue->type.shapes.empty(), "elements can be taken together only where the queue says their shapes");
    queue->DequeueBatch(c.execution, count, or_fewer);
  });
  if (!elements) return;
  for (size_t i = 0; i < c.outputs.size(); ++i) c.Output(static_cast<int>(i), Batch(queue->type, i, *elements));
}

void DequeueMany(OpContext& c) { DequeueBatch(c, /*or_fewer=*/false); }
void DequeueUpTo(OpContext& c) { DequeueBatch(c, /*or_fewer=*/true); }

// ---- The rest ------------------------------------------------------------------------------------------------------

void Close(OpContext& c) {
  const auto queue = QueueOf(c);
  Answered(c, queue, [&] { queue->Close(c.execution, c.attr<bool>("cancel_pending_enqueues")); });
}
void IsClosed(OpContext& c) { c.Output(0, MakeScalar(QueueOf(c)->is_closed())); }
void Size(OpContext& c) { c.Output(0, MakeScalar(static_cast<int32_t>(QueueOf(c)->size()))); }

constexpr KernelRow kRows[] = {
    {"QueueEnqueue", Enqueue, CheckTimeout},
    {"QueueEnqueueV2", Enqueue, CheckTimeout},
    {"QueueEnqueueMany", EnqueueMany, CheckTimeout},
    {"QueueEnqueueManyV2", EnqueueMany, CheckTimeout},
    {"QueueDequeue", Dequeue, CheckTimeout},
    {"QueueDequeueV2", Dequeue, CheckTimeout},
    {"QueueDequeueMany", DequeueMany, CheckTimeout},
    {"QueueDequeueManyV2", DequeueMany, CheckTimeout},
    {"QueueDequeueUpTo", DequeueUpTo, CheckTimeout},
    {"QueueDequeueUpToV2", DequeueUpTo, CheckTimeout},
    {"QueueClose", Close},
    {"QueueCloseV2", Close},
    {"QueueIsClosed", IsClosed},
    {"QueueIsClosedV2", IsClosed},
    {"QueueSize", Size},
    {"QueueSizeV2", Size},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowQueue() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
