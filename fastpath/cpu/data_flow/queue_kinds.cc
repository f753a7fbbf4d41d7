// The ops that make queues (rules Q3, Q9, Q40–Q42).
#include <limits>
#include <vector>

#include "fastpath/cpu/data_flow/queue_object.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/named_resource.h"
#include "fastpath/device/kernel.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

// Q3: outside of padding a shape of unknown rank is that of a scalar.
void CheckShapes(QueueSpec& spec) {
  for (PartialShape& shape : spec.shapes) {
    if (spec.kind != QueueKind::kPadding && !shape.has_rank()) shape = Shape();
    const bool is_known = spec.kind == QueueKind::kPadding ? shape.has_rank() : shape.IsFullyDefined();
    Require(is_known, "the shape ", Printed(shape), " of a component must be ",
            spec.kind == QueueKind::kPadding ? "of known rank" : "fully known");  // Q3, Q41
  }
  const bool may_be_left_out = spec.kind != QueueKind::kPadding;
  Require((spec.shapes.empty() && may_be_left_out) || spec.shapes.size() == spec.types.size(), spec.types.size(),
          " component types, but ", spec.shapes.size(), " shapes");  // Q3, Q41
}

// Q40.
void AddShuffling(const Node& node, QueueSpec& spec) {
  spec.min_after_dequeue = Int32Attr(node, "min_after_dequeue");
  Require(spec.min_after_dequeue >= 0 && spec.min_after_dequeue < spec.capacity,
          "min_after_dequeue must be from 0 to below the capacity, but is ", spec.min_after_dequeue);
  spec.seed = GetAttr<int64_t>(node.attrs, "seed");
  spec.seed2 = GetAttr<int64_t>(node.attrs, "seed2");
}

QueueSpec SpecOf(const Node& node, QueueKind kind) {
  QueueSpec spec;
  spec.kind = kind;
  spec.types = GetAttr<std::vector<DType>>(node.attrs, "component_types");
  spec.shapes = GetAttr<std::vector<PartialShape>>(node.attrs, "shapes");
  CheckShapes(spec);
  const int64_t capacity = Int32Attr(node, "capacity");
  spec.capacity = capacity < 0 ? std::numeric_limits<int64_t>::max() : capacity;
  if (kind == QueueKind::kShuffled) AddShuffling(node, spec);
  if (kind == QueueKind::kPriority) {  // Q42
    Require(spec.shapes.size() == spec.types.size() && !spec.types.empty(),
            "a priority queue needs components, and the shape of each of its ", spec.types.size());
    spec.types.insert(spec.types.begin(), DType::kInt64);
    spec.shapes.insert(spec.shapes.begin(), PartialShape(Shape()));
  }
  return spec;
}

class MakeQueueKernel : public Kernel {
 public:
  MakeQueueKernel(const Node& node, QueueKind kind)
      : spec_(SpecOf(node, kind)),
        name_(PrivateNameOf(node)),
        shown_name_(name_.name[0] == '_' ? node.name : name_.name),
        handle_(node, name_, kQueueTypeName) {}

  void Run(KernelContext& context) override {
    context.resources().FindOrCreate<QueueObject>(name_)->Describe(shown_name_, spec_);
    handle_.Set(context);
  }

 private:
  const QueueSpec spec_;
  const ResourceName name_;
  const std::string shown_name_;
  const HandleOutput handle_;
};

constexpr KernelRow kRows[] = {
    {"FIFOQueue", MakeWith<MakeQueueKernel, QueueKind::kFifo>},
    {"FIFOQueueV2", MakeWith<MakeQueueKernel, QueueKind::kFifo>},
    {"PaddingFIFOQueue", MakeWith<MakeQueueKernel, QueueKind::kPadding>},
    {"PaddingFIFOQueueV2", MakeWith<MakeQueueKernel, QueueKind::kPadding>},
    {"RandomShuffleQueue", MakeWith<MakeQueueKernel, QueueKind::kShuffled>},
    {"RandomShuffleQueueV2", MakeWith<MakeQueueKernel, QueueKind::kShuffled>},
    {"PriorityQueue", MakeWith<MakeQueueKernel, QueueKind::kPriority>},
    {"PriorityQueueV2", MakeWith<MakeQueueKernel, QueueKind::kPriority>},
};

}  // namespace

std::span<const KernelRow> DataFlowQueueKinds() { return kRows; }

}  // namespace plumb::fast::cpu
