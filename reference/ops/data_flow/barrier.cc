// Barriers (rules B1–B5).
#include "reference/state/barrier.h"

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/named_resource.h"

namespace plumb::reference {
namespace {

std::vector<Shape> ShapesOf(const Node& node) {
  std::vector<Shape> shapes;
  for (const PartialShape& shape : GetAttr<std::vector<PartialShape>>(node.attrs, "shapes")) {
    const bool is_known = !shape.has_rank() || shape.IsFullyDefined();  // B1: of unknown rank is a scalar
    Require(is_known, "the shape ", shape.ToString(), " of a component must be fully defined");
    shapes.push_back(shape.has_rank() ? shape.ToShape() : Shape());
  }
  return shapes;
}

void CheckBarrier(const Node& node) {
  const auto types = GetAttr<std::vector<DType>>(node.attrs, "component_types");
  Require(ShapesOf(node).size() == types.size(), "all of the component shapes must be specified");
  Require(GetAttr<int64_t>(node.attrs, "capacity") == -1, "a barrier has the capacity -1 only");
}

void MakeBarrier(OpContext& c) {
  const ResourceName name = NameOf(c.node);
  Barrier& barrier = c.resources.FindOrCreate<Barrier>(name);
  if (barrier.name.empty()) {
    const std::string& shared_name = c.attr<std::string>("shared_name");
    barrier.name = shared_name.empty() ? c.node.name : shared_name;
  }
  const auto types = c.attr<std::vector<DType>>("component_types");
  const auto shapes = ShapesOf(c.node);
  if (barrier.types.empty()) {
    barrier.types = types;
    barrier.shapes = shapes;
  }
  Require(barrier.types == types && barrier.shapes == shapes, "the shared barrier '", barrier.name,
          "' has components of other types or shapes");
  OutputHandle(c, name, kBarrierType);
}

std::shared_ptr<Barrier> BarrierOf(const OpContext& c) {
  const ResourceName name = NamedBy(c, kBarrierType);
  auto barrier = c.resources.Share<Barrier>(name);
  // The attempt was made at one that is gone, though there may be another one in its place.
  if (barrier != nullptr && c.resumed && !barrier->Has(c.execution)) barrier = nullptr;
  if (barrier == nullptr) {
    throw NotFound("there is no barrier '", name.name, "' in the container '", name.container, "'");
  }
  return barrier;
}

void InsertMany(OpContext& c) {
  const auto barrier = BarrierOf(c);
  const Tensor &keys = c.tensor(1), &values = c.tensor(2);
  const int64_t index = c.attr<int64_t>("component_index");
  Require(0 <= index && index < std::ssize(barrier->types), "the component index ", index, " is not below ",
          barrier->types.size());
  const auto component = static_cast<int>(index);
  Require(values.dtype() == barrier->types[component], "component ", component, " of the barrier is ",
          DTypeName(barrier->types[component]), ", not ", DTypeName(values.dtype()));
  const Shape row = values.rank() == 0 ? Shape() : WithoutAxis(values.shape(), 0);
  const int64_t rows = values.rank() == 0 ? 1 : values.shape().dim(0);
  Require(rows >= keys.elements(), "there must be a row of values for each key, not values of shape ",
          values.shape().ToString(), " for keys of shape ", keys.shape().ToString());
  Require(keys.elements() == 0 || values.elements() > 0,
          "tensors with no elements are not supported: ", values.shape().ToString());
  Require(keys.elements() == 0 || row == barrier->shapes[component], "component ", component,
          " of the barrier has the shape ", barrier->shapes[component].ToString(), ", the values are of shape ",
          values.shape().ToString());
  const auto names = keys.data<std::string>();
  barrier->Insert({names.begin(), names.end()}, component, c.input(2));
}

void CheckTakeMany(const Node& node) {
  Require(GetAttr<int64_t>(node.attrs, "timeout_ms") == -1, "no timeout is supported yet: timeout_ms must be -1");
}

void TakeMany(OpContext& c) {
  const auto barrier = BarrierOf(c);
  std::vector<Value> values;
  if (!c.resumed) {
    Require(c.attr<std::vector<DType>>("component_types") == barrier->types, "the components of the barrier '",
            barrier->name, "' have other types");
    const int64_t count = ScalarOf(c.tensor(1), "num_elements");
    const TuplesWanted wanted = barrier->Wanted(count, c.attr<bool>("allow_small_batch"));
    Require(count >= 0, "num_elements must not be negative, but is ", count);
    if (wanted.count == 0) {
      values = barrier->None();
    } else {
      barrier->Ask(c.execution, wanted);
    }
  }
  if (values.empty()) {
    if (!barrier->IsServed(c.execution)) return c.Park(barrier);
    LineAnswer answer = barrier->Fetch(c.execution);
    if (!answer.status.ok()) throw Error(answer.status);
    values = std::move(answer.values);
  }
  for (size_t i = 0; i < values.size(); ++i) c.Output(static_cast<int>(i), std::move(values[i]));
}

void Close(OpContext& c) { BarrierOf(c)->Close(c.attr<bool>("cancel_pending_enqueues")); }
void ReadySize(OpContext& c) { c.Output(0, MakeScalar(static_cast<int32_t>(BarrierOf(c)->num_ready()))); }
void IncompleteSize(OpContext& c) { c.Output(0, MakeScalar(static_cast<int32_t>(BarrierOf(c)->num_incomplete()))); }

constexpr KernelRow kRows[] = {
    {"Barrier", MakeBarrier, CheckBarrier},
    {"BarrierInsertMany", InsertMany},
    {"BarrierTakeMany", TakeMany, CheckTakeMany},
    {"BarrierClose", Close},
    {"BarrierReadySize", ReadySize},
    {"BarrierIncompleteSize", IncompleteSize},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowBarrier() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
