// Barriers (B1–B5).
#include <algorithm>

#include "fastpath/cpu/data_flow/barrier_object.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/named_resource.h"

namespace plumb::fast::cpu {
namespace {

BarrierSpec SpecOf(const Node& node) {
  BarrierSpec spec;
  spec.types = GetAttr<std::vector<DType>>(node.attrs, "component_types");
  for (const PartialShape& shape : GetAttr<std::vector<PartialShape>>(node.attrs, "shapes")) {
    if (!shape.has_rank()) {
      spec.shapes.emplace_back();
      continue;
    }
    Require(shape.IsFullyDefined(), "the shape ", Printed(shape), " of a component must be fully defined");
    spec.shapes.push_back(shape.ToShape());
  }
  Require(spec.shapes.size() == spec.types.size(), "all of the component shapes must be specified");
  Require(GetAttr<int64_t>(node.attrs, "capacity") == -1, "a barrier has the capacity -1 only");
  return spec;
}

class MakeBarrierKernel final : public Kernel {
 public:
  explicit MakeBarrierKernel(const Node& node)
      : spec_(SpecOf(node)),
        name_(PrivateNameOf(node)),
        shown_name_(name_.name[0] == '_' ? node.name : name_.name),
        handle_(node, name_, kBarrierTypeName) {}
  void Run(KernelContext& context) override {
    context.resources().FindOrCreate<BarrierObject>(name_)->Describe(shown_name_, spec_);
    handle_.Set(context);
  }

 private:
  const BarrierSpec spec_;
  const ResourceName name_;
  const std::string shown_name_;
  const HandleOutput handle_;
};

// The handle is input 0.
class BarrierKernel : public Kernel {
 public:
  explicit BarrierKernel(const Node& node) : lookup_(node, kBarrierTypeName) {}

 protected:
  std::shared_ptr<BarrierObject> Find(KernelContext& context) const { return lookup_.Find<BarrierObject>(context); }

 private:
  const NamedLookup lookup_;
};

class InsertManyKernel final : public BarrierKernel {
 public:
  explicit InsertManyKernel(const Node& node)
      : BarrierKernel(node), component_(GetAttr<int64_t>(node.attrs, "component_index")) {}
  void Run(KernelContext& context) override {
    const auto barrier = Find(context);
    const BarrierSpec spec = barrier->spec();
    const Tensor keys = Unaliased(context.input(1)), values = Unaliased(context.input(2));
    Require(component_ >= 0 && component_ < static_cast<int64_t>(spec.types.size()), "the component index ", component_,
            " is not below ", spec.types.size());
    const auto at = static_cast<size_t>(component_);
    Require(values.dtype() == spec.types[at], "component ", component_, " of the barrier is ",
            DTypeName(spec.types[at]), ", not ", DTypeName(values.dtype()));
    const int64_t rows = values.rank() == 0 ? 1 : values.dim(0);
    Require(rows >= keys.elements(), "there must be a row of values for each key, not values of shape ",
            Printed(values.shape()), " for keys of shape ", Printed(keys.shape()));
    Require(keys.elements() == 0 || values.elements() > 0,
            "tensors with no elements are not supported: ", Printed(values.shape()));
    bool fits = std::max(values.rank(), 1) == spec.shapes[at].rank() + 1;
    for (int axis = 1; fits && axis < values.rank(); ++axis) fits = values.dim(axis) == spec.shapes[at][axis - 1];
    Require(fits || keys.elements() == 0, "component ", component_, " of the barrier has the shape ",
            Printed(spec.shapes[at]), ", the values are of shape ", Printed(values.shape()));
    barrier->Insert(keys, at, values);
  }

 private:
  const int64_t component_;
};

// B4.
class TakeManyKernel final : public AsyncKernel {
 public:
  explicit TakeManyKernel(const Node& node)
      : lookup_(node, kBarrierTypeName),
        types_(GetAttr<std::vector<DType>>(node.attrs, "component_types")),
        or_fewer_(GetAttr<bool>(node.attrs, "allow_small_batch")) {
    Require(GetAttr<int64_t>(node.attrs, "timeout_ms") == -1, "no timeout is supported yet: timeout_ms must be -1");
  }
  void Start(AsyncContext& context, Done done) override {
    const auto barrier = lookup_.Find<BarrierObject>(context);
    const BarrierSpec spec = barrier->spec();
    Require(spec.types == types_, "the components of the barrier have other types");
    const Tensor& wanted = context.input(1);
    Require(wanted.rank() == 0, "num_elements must be a scalar, not of shape ", Printed(wanted.shape()));
    const int32_t count = wanted.data<int32_t>()[0];
    const TuplesWanted request = barrier->Wanted(count, or_fewer_);
    Require(count >= 0, "num_elements must not be negative, but is ", count);
    if (request.count > 0) return barrier->Ask(context, std::move(done), request);
    GiveNone(context, spec);
    done(OkStatus());
  }

 private:
  static void GiveNone(KernelContext& context, const BarrierSpec& spec) {
    context.AllocateOutput(0, DType::kInt64, Shape({0}));
    context.AllocateOutput(1, DType::kString, Shape({0}));
    for (size_t k = 0; k < spec.types.size(); ++k) {
      Dims dims;
      dims.Append(0);
      for (int axis = 0; axis < spec.shapes[k].rank(); ++axis) dims.Append(spec.shapes[k][axis]);
      context.AllocateOutput(static_cast<int>(k) + 2, spec.types[k], dims.ToShape());
    }
  }

  const NamedLookup lookup_;
  const std::vector<DType> types_;
  const bool or_fewer_;
};

class CloseKernel final : public BarrierKernel {
 public:
  explicit CloseKernel(const Node& node)
      : BarrierKernel(node), cancels_(GetAttr<bool>(node.attrs, "cancel_pending_enqueues")) {}
  void Run(KernelContext& context) override { Find(context)->Close(cancels_); }

 private:
  const bool cancels_;
};

class SizeKernel final : public BarrierKernel {
 public:
  SizeKernel(const Node& node, bool is_ready) : BarrierKernel(node), is_ready_(is_ready) {}
  void Run(KernelContext& context) override {
    const auto barrier = Find(context);
    const int64_t size = is_ready_ ? barrier->num_ready() : barrier->num_incomplete();
    context.AllocateOutput(0, DType::kInt32, Shape()).mutable_data<int32_t>()[0] = static_cast<int32_t>(size);
  }

 private:
  const bool is_ready_;
};

constexpr KernelRow kRows[] = {
    {"Barrier", Make<MakeBarrierKernel>},
    {"BarrierInsertMany", Make<InsertManyKernel>},
    {"BarrierTakeMany", Make<TakeManyKernel>},
    {"BarrierClose", Make<CloseKernel>},
    {"BarrierReadySize", MakeWith<SizeKernel, true>},
    {"BarrierIncompleteSize", MakeWith<SizeKernel, false>},
};

}  // namespace

std::span<const KernelRow> DataFlowBarrier() { return kRows; }

}  // namespace plumb::fast::cpu
