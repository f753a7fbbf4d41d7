// The ops on queues (rules Q1–Q42), of whatever kind they are. What a queue does with an attempt is said in
// queue_object.cc.
#include <vector>

#include "fastpath/cpu/data_flow/queue_object.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/named_resource.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// The handle is input 0.
class QueueKernel : public AsyncKernel {
 public:
  explicit QueueKernel(const Node& node) : lookup_(node, kQueueTypeName) {
    Require(GetAttrOr<int64_t>(node.attrs, "timeout_ms", -1) == -1,
            "Timeout not supported, timeout_ms must be -1");  // Q4
  }

 protected:
  std::shared_ptr<QueueObject> QueueIn(KernelContext& context) const { return lookup_.Find<QueueObject>(context); }

 private:
  const NamedLookup lookup_;
};

std::string Listed(const std::vector<DType>& types) {
  std::string text;
  for (const DType type : types) text += Str(text.empty() ? "" : ", ", DTypeName(type));
  return Str("(", text, ")");
}

// Q2.
void CheckTypes(const std::vector<DType>& types, const QueueSpec& spec) {
  if (types == spec.types) return;
  throw InvalidArgument("the queue has components ", Listed(spec.types), ", not ", Listed(types));
}

// ---- Putting elements in -------------------------------------------------------------------------------------------

class ProducerKernel : public QueueKernel {
 public:
  explicit ProducerKernel(const Node& node)
      : QueueKernel(node), types_(GetAttr<std::vector<DType>>(node.attrs, "Tcomponents")) {}
  bool KeepsAliases() const override { return true; }

 protected:
  // Q2. The shapes are without the first `row_axes` axes.
  std::vector<Tensor> Components(const AsyncContext& context, const QueueSpec& spec, int row_axes) const {
    CheckTypes(types_, spec);
    std::vector<Tensor> components;
    components.reserve(types_.size());
    for (size_t i = 0; i < types_.size(); ++i) {
      const Tensor& component = context.input(static_cast<int>(i) + 1);
      Require(component.rank() >= row_axes, "component ", i, " is a scalar and has no rows");
      const Shape shape(component.shape().dims().subspan(row_axes));
      const bool fits = spec.shapes.empty() || spec.shapes[i].IsCompatibleWith(shape);
      if (!fits) {
        throw InvalidArgument("component ", i, " has the shape ", shape.ToString(), ", which does not fit the queue's ",
                              spec.shapes[i].ToString());
      }
      components.push_back(component);
    }
    return components;
  }

 private:
  const std::vector<DType> types_;
};

class EnqueueKernel : public ProducerKernel {
 public:
  using ProducerKernel::ProducerKernel;
  void Start(AsyncContext& context, Done done) override {
    const auto queue = QueueIn(context);
    queue->Enqueue(context, std::move(done), Components(context, queue->spec(), 0));
  }
};

class EnqueueManyKernel : public ProducerKernel {
 public:
  using ProducerKernel::ProducerKernel;
  void Start(AsyncContext& context, Done done) override {
    const auto queue = QueueIn(context);
    std::vector<Tensor> rows = Components(context, queue->spec(), 1);
    for (const Tensor& component : rows) {
      Require(component.dim(0) == rows[0].dim(0), "components with ", rows[0].dim(0), " and ", component.dim(0),
              " rows");
    }
    queue->EnqueueRows(context, std::move(done), std::move(rows));
  }
};

// ---- Taking elements out -------------------------------------------------------------------------------------------

class ConsumerKernel : public QueueKernel {
 public:
  explicit ConsumerKernel(const Node& node)
      : QueueKernel(node), types_(GetAttr<std::vector<DType>>(node.attrs, "component_types")) {}

 protected:
  std::shared_ptr<QueueObject> CheckedQueueIn(KernelContext& context) const {
    auto queue = QueueIn(context);
    CheckTypes(types_, queue->spec());
    return queue;
  }

 private:
  const std::vector<DType> types_;
};

class DequeueKernel : public ConsumerKernel {
 public:
  using ConsumerKernel::ConsumerKernel;
  void Start(AsyncContext& context, Done done) override {
    CheckedQueueIn(context)->DequeueOne(context, std::move(done));
  }
};

class DequeueBatchKernel : public ConsumerKernel {
 public:
  DequeueBatchKernel(const Node& node, bool or_fewer) : ConsumerKernel(node), or_fewer_(or_fewer) {}

  void Start(AsyncContext& context, Done done) override {
    const auto queue = CheckedQueueIn(context);
    const Tensor& n = context.input(1);
    Require(n.elements() > 0, "n must be a number, not of shape ", Printed(n.shape()));
    const int64_t count = n.data<int32_t>()[0];
    Require(count >= 0, "n must not be negative, but is ", count);
    Require(!queue->spec().shapes.empty(),
            "several elements can be taken together only from a queue that says their shapes");  // Q21
    queue->DequeueBatch(context, std::move(done), count, or_fewer_);
  }

 private:
  const bool or_fewer_;
};

// ---- The rest ------------------------------------------------------------------------------------------------------

class CloseKernel : public QueueKernel {
 public:
  explicit CloseKernel(const Node& node)
      : QueueKernel(node), cancels_(GetAttr<bool>(node.attrs, "cancel_pending_enqueues")) {}
  void Start(AsyncContext& context, Done done) override { QueueIn(context)->Close(context, std::move(done), cancels_); }

 private:
  const bool cancels_;
};

// Q6: never waits.
class QueueSizeKernel : public Kernel {
 public:
  explicit QueueSizeKernel(const Node& node) : lookup_(node, kQueueTypeName) {}
  void Run(KernelContext& context) override {
    const int64_t size = lookup_.Find<QueueObject>(context)->size();
    context.AllocateOutput(0, DType::kInt32, Shape()).mutable_data<int32_t>()[0] = static_cast<int32_t>(size);
  }

 private:
  const NamedLookup lookup_;
};

class QueueIsClosedKernel : public Kernel {
 public:
  explicit QueueIsClosedKernel(const Node& node) : lookup_(node, kQueueTypeName) {}
  void Run(KernelContext& context) override {
    const bool is_closed = lookup_.Find<QueueObject>(context)->is_closed();
    context.AllocateOutput(0, DType::kBool, Shape()).mutable_data<bool>()[0] = is_closed;
  }

 private:
  const NamedLookup lookup_;
};

constexpr KernelRow kRows[] = {
    {"QueueEnqueue", Make<EnqueueKernel>},
    {"QueueEnqueueV2", Make<EnqueueKernel>},
    {"QueueEnqueueMany", Make<EnqueueManyKernel>},
    {"QueueEnqueueManyV2", Make<EnqueueManyKernel>},
    {"QueueDequeue", Make<DequeueKernel>},
    {"QueueDequeueV2", Make<DequeueKernel>},
    {"QueueDequeueMany", MakeWith<DequeueBatchKernel, false>},
    {"QueueDequeueManyV2", MakeWith<DequeueBatchKernel, false>},
    {"QueueDequeueUpTo", MakeWith<DequeueBatchKernel, true>},
    {"QueueDequeueUpToV2", MakeWith<DequeueBatchKernel, true>},
    {"QueueClose", Make<CloseKernel>},
    {"QueueCloseV2", Make<CloseKernel>},
    {"QueueIsClosed", Make<QueueIsClosedKernel>},
    {"QueueIsClosedV2", Make<QueueIsClosedKernel>},
    {"QueueSize", Make<QueueSizeKernel>},
    {"QueueSizeV2", Make<QueueSizeKernel>},
};

}  // namespace

std::span<const KernelRow> DataFlowQueue() { return kRows; }

}  // namespace plumb::fast::cpu
