// TensorArrays: making, reading and writing one element at a time. Those as a whole are in tensor_array_pack.cc.
#include "fastpath/cpu/lib/state/tensor_array.h"

#include <atomic>

#include "fastpath/cpu/data_flow/tensor_array_pack.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// Gives the array the handle that ops name it by.
void MakeHandle(KernelContext& context, const std::shared_ptr<TensorArray>& array, const std::string& device,
                const std::string& name) {
  Tensor tensor = Allocate(DType::kResource, Shape());
  ResourceHandle& handle = tensor.mutable_data<ResourceHandle>()[0];
  handle.device = device;
  handle.container = kTensorArrayContainer;
  handle.name = name;
  handle.type_name = kTensorArrayTypeName;
  handle.dtype = array->dtype();
  handle.target = array;
  array->SetHandle(std::move(tensor), context.step_resources());
}

// The flow only orders ops (TA1).
Tensor Flow() { return ZerosForArray(DType::kFloat, Shape()); }

int64_t IndexIn(const Tensor& index, const std::string& node) {
  Require(index.rank() == 0, "node ", node, ": the index must be a scalar, not of shape ", Printed(index.shape()));
  return index.data<int32_t>()[0];
}

class TensorArrayKernel : public Kernel {
 public:
  explicit TensorArrayKernel(const Node& node) : node_(node.name), device_(node.device) {}

 protected:
  const std::string node_, device_;
};

// TA1: an array of its own for every execution.
class MakeArrayKernel : public TensorArrayKernel {
 public:
  explicit MakeArrayKernel(const Node& node) : TensorArrayKernel(node) {
    options_.dtype = GetAttr<DType>(node.attrs, "dtype");
    options_.element_shape = GetAttrOr(node.attrs, "element_shape", PartialShape());
    options_.dynamic_size = GetAttr<bool>(node.attrs, "dynamic_size");
    options_.clear_after_read = GetAttr<bool>(node.attrs, "clear_after_read");
    options_.identical_element_shapes = GetAttrOr(node.attrs, "identical_element_shapes", false);
    name_ = GetAttrOr<std::string>(node.attrs, "tensor_array_name", "");
    if (name_.empty()) name_ = node.name;
  }

  void Run(KernelContext& context) override {
    const Tensor& size = context.input(0);
    Require(size.rank() == 0, "node ", node_, ": the size must be a scalar, not of shape ", Printed(size.shape()));
    static std::atomic<int64_t> made{0};
    const std::string name = Str(name_, "_", made.fetch_add(1, std::memory_order_relaxed));
    auto array = context.step_resources().FindOrCreate<TensorArray>({"", kTensorArrayContainer, name});
    array->Initialize(name_, size.data<int32_t>()[0], options_);
    MakeHandle(context, array, device_, name);
    context.SetOutput(0, array->handle());
    context.SetOutput(1, Flow());
  }

 private:
  TensorArrayOptions options_;
  std::string name_;
};

// TA7, for TensorArrayGradV3 and TensorArrayGradWithShape.
class GradientArrayKernel : public TensorArrayKernel {
 public:
  explicit GradientArrayKernel(const Node& node)
      : TensorArrayKernel(node), source_(GetAttr<std::string>(node.attrs, "source")) {}

  void Run(KernelContext& context) override {
    const auto array = TensorArrayIn(context, node_);
    const Shape prefix = context.num_inputs() > 2 ? PrefixIn(context.input(2)) : Shape();
    std::shared_ptr<TensorArray> gradient = array->Gradient(source_);
    if (gradient == nullptr) gradient = Made(context, *array, prefix);
    context.SetOutput(0, gradient->handle());
    context.SetOutput(1, context.input(1));
  }

 private:
  // One gradient array, though several nodes ask for it at once.
  std::shared_ptr<TensorArray> Made(KernelContext& context, TensorArray& array, const Shape& prefix) {
    MutexLock lock(mutex_);
    if (auto gradient = array.Gradient(source_)) return gradient;
    const std::string name = Str(context.input(0).data<ResourceHandle>()[0].name, "@", source_);
    auto gradient = context.step_resources().FindOrCreate<TensorArray>({"", kTensorArrayContainer, name});
    array.MakeGradient(*gradient, name, prefix);
    MakeHandle(context, gradient, device_, name);
    array.KeepGradient(source_, gradient);
    return gradient;
  }

  Shape PrefixIn(const Tensor& shape) const {
    Require(shape.rank() == 1, "node ", node_, ": shape_to_prepend must be a vector, not of shape ",
            Printed(shape.shape()));
    return Shape(ToInt64s(shape));
  }

  const std::string source_;
  static inline Mutex mutex_;  // of those who make gradient arrays
};

class WriteKernel : public TensorArrayKernel {
 public:
  using TensorArrayKernel::TensorArrayKernel;
  void Run(KernelContext& context) override {
    TensorArrayIn(context, node_)->Write(context.pool(), IndexIn(context.input(1), node_), context.input(2));
    context.SetOutput(0, context.input(3));
  }
  bool KeepsAliases() const override { return true; }
};

class ReadKernel : public TensorArrayKernel {
 public:
  explicit ReadKernel(const Node& node) : TensorArrayKernel(node), dtype_(GetAttr<DType>(node.attrs, "dtype")) {}
  void Run(KernelContext& context) override {
    const auto array = TensorArrayIn(context, node_);
    Require(array->dtype() == dtype_, "node ", node_, " wants ", DTypeName(dtype_), ", the TensorArray holds ",
            DTypeName(array->dtype()));
    context.SetOutput(0, array->Read(IndexIn(context.input(1), node_)));
  }

 private:
  const DType dtype_;
};

class SizeKernel : public TensorArrayKernel {
 public:
  using TensorArrayKernel::TensorArrayKernel;
  void Run(KernelContext& context) override {
    const int64_t size = TensorArrayIn(context, node_)->Size();
    context.SetOutput(0, MakeScalar(static_cast<int32_t>(size)));  // on the host, for whatever device
  }
};

class CloseKernel : public TensorArrayKernel {
 public:
  using TensorArrayKernel::TensorArrayKernel;
  void Run(KernelContext& context) override { TensorArrayIn(context, node_)->Close(); }
};

constexpr KernelRow kRows[] = {
    {"TensorArrayV3", Make<MakeArrayKernel>},
    {"TensorArrayGradV3", Make<GradientArrayKernel>},
    {"TensorArrayGradWithShape", Make<GradientArrayKernel>},
    {"TensorArrayWriteV3", Make<WriteKernel>},
    {"TensorArrayReadV3", Make<ReadKernel>},
    {"TensorArrayGatherV3", MakeTensorArrayGather},
    {"TensorArrayScatterV3", MakeTensorArrayScatter},
    {"TensorArrayConcatV3", MakeTensorArrayConcat},
    {"TensorArraySplitV3", MakeTensorArraySplit},
    {"TensorArraySizeV3", Make<SizeKernel>},
    {"TensorArrayCloseV3", Make<CloseKernel>},
};

}  // namespace

std::span<const KernelRow> DataFlowTensorArray() { return kRows; }

}  // namespace plumb::fast::cpu
