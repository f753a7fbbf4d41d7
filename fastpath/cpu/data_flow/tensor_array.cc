// TensorArrays: making, reading and writing one element at a time. Those as a whole are in tensor_array_pack.cc, the
// rows of older versions in tensor_array_older.cc.
#include "fastpath/cpu/lib/state/tensor_array.h"

#include <atomic>

#include "fastpath/cpu/data_flow/tensor_array_kernels.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"
#include "fastpath/device/variable_access.h"

namespace plumb::fast::cpu {
namespace {

// What ops name an array by: a handle, or two strings (TA9).
enum class Naming { kHandle, kStrings, kReference };

Naming NamingOf(const Node& node) {
  if (IsRef(node.output_types.at(0))) return Naming::kReference;
  return node.output_types[0] == DType::kString ? Naming::kStrings : Naming::kHandle;
}

// Gives the array what ops name it by.
void MakeHandle(KernelContext& context, Naming naming, const std::shared_ptr<TensorArray>& array,
                const std::string& device, const ResourceKey& key) {
  if (naming != Naming::kHandle) {
    const std::string container(key.container), name(key.name);
    return array->SetHandle(MakeVector<std::string>({container, name}), context.step_resources());
  }
  Tensor tensor = Allocate(DType::kResource, Shape());
  ResourceHandle& handle = tensor.mutable_data<ResourceHandle>()[0];
  handle.device = device;
  handle.container = key.container;
  handle.name = key.name;
  handle.type_name = kTensorArrayTypeName;
  handle.dtype = array->dtype();
  handle.target = array;
  array->SetHandle(std::move(tensor), context.step_resources());
}

void OutputHandle(KernelContext& context, Naming naming, const TensorArray& array, const std::string& node) {
  if (naming != Naming::kReference) return context.SetOutput(0, array.handle());
  auto strings = std::make_shared<Variable>();
  strings->Declare(DType::kString, {2});
  strings->Assign(node, array.handle().Clone(), /*keeps_shape=*/true);
  context.SetOutputRef(0, std::move(strings));
}

// The flow only orders ops (TA1).
Tensor Flow(KernelContext& context) { return AllocateZeros(context.pool(), DType::kFloat, Shape()); }

int64_t IndexIn(const Tensor& index) {
  Require(index.rank() == 0, "the index must be a scalar, not of shape ", Printed(index.shape()));
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
  explicit MakeArrayKernel(const Node& node) : TensorArrayKernel(node), naming_(NamingOf(node)) {
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
    Require(size.rank() == 0, "the size must be a scalar, not of shape ", Printed(size.shape()));
    static std::atomic<int64_t> made{0};
    const std::string name = Str(name_, "_", made.fetch_add(1, std::memory_order_relaxed));
    const ResourceKey key = {"", kTensorArrayContainer, name};
    auto array = context.step_resources().FindOrCreate<TensorArray>(key);
    array->Initialize(name_, size.data<int32_t>()[0], options_);
    MakeHandle(context, naming_, array, device_, key);
    OutputHandle(context, naming_, *array, node_);
    if (context.num_outputs() > 1) context.SetOutput(1, Flow(context));
  }

 private:
  const Naming naming_;
  TensorArrayOptions options_;
  std::string name_;
};

// TA7, TA9.
class GradientArrayKernel : public TensorArrayKernel {
 public:
  explicit GradientArrayKernel(const Node& node)
      : TensorArrayKernel(node), source_(GetAttr<std::string>(node.attrs, "source")), naming_(NamingOf(node)) {}

  void Run(KernelContext& context) override {
    const std::string name = NameIn(context);
    const auto array = TensorArrayIn(context, node_);
    const Shape prefix = context.num_inputs() > 2 ? PrefixIn(context.input(2)) : Shape();
    std::shared_ptr<TensorArray> gradient = array->Gradient(source_);
    if (gradient == nullptr) gradient = Made(context, *array, name, prefix);
    OutputHandle(context, naming_, *gradient, node_);
    if (context.num_outputs() > 1) context.SetOutput(1, context.input(1));
  }

 private:
  // Of the array that has the gradient.
  std::string NameIn(KernelContext& context) const {
    const auto strings = NameOfTensorArray(context, node_);
    if (!strings) return HandleIn(context.input(0), kTensorArrayTypeName).name;
    Require(strings->first == kTensorArrayContainer, "TensorArrays are in ", kTensorArrayContainer, ", not in ",
            strings->first);
    return strings->second;
  }

  // One gradient array, though several nodes ask for it at once.
  std::shared_ptr<TensorArray> Made(KernelContext& context, TensorArray& array, const std::string& of,
                                    const Shape& prefix) {
    MutexLock lock(mutex_);
    if (auto gradient = array.Gradient(source_)) return gradient;
    const std::string name = Str(of, "@", source_);
    const ResourceKey key = {"", naming_ == Naming::kHandle ? kTensorArrayContainer : kTensorArrayGradients, name};
    auto gradient = context.step_resources().FindOrCreate<TensorArray>(key);
    array.MakeGradient(*gradient, name, prefix);
    MakeHandle(context, naming_, gradient, device_, key);
    array.KeepGradient(source_, gradient);
    return gradient;
  }

  Shape PrefixIn(const Tensor& shape) const {
    Require(shape.rank() == 1, "shape_to_prepend must be a vector, not of shape ", Printed(shape.shape()));
    return Shape(ToInt64s(shape));
  }

  const std::string source_;
  const Naming naming_;
  static inline Mutex mutex_;  // of those who make gradient arrays
};

class WriteKernel : public TensorArrayKernel {
 public:
  using TensorArrayKernel::TensorArrayKernel;
  void Run(KernelContext& context) override {
    TensorArrayIn(context, node_)->Write(context.pool(), IndexIn(context.input(1)), context.input(2));
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
    context.SetOutput(0, array->Read(context.pool(), IndexIn(context.input(1))));
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

}  // namespace

std::unique_ptr<Kernel> MakeTensorArray(const Node& node) { return std::make_unique<MakeArrayKernel>(node); }
std::unique_ptr<Kernel> MakeTensorArrayGrad(const Node& node) { return std::make_unique<GradientArrayKernel>(node); }
std::unique_ptr<Kernel> MakeTensorArrayWrite(const Node& node) { return std::make_unique<WriteKernel>(node); }
std::unique_ptr<Kernel> MakeTensorArrayRead(const Node& node) { return std::make_unique<ReadKernel>(node); }
std::unique_ptr<Kernel> MakeTensorArraySize(const Node& node) { return std::make_unique<SizeKernel>(node); }
std::unique_ptr<Kernel> MakeTensorArrayClose(const Node& node) { return std::make_unique<CloseKernel>(node); }

namespace {

constexpr KernelRow kRows[] = {
    {"TensorArrayV3", MakeTensorArray},
    {"TensorArrayGradV3", MakeTensorArrayGrad},
    {"TensorArrayGradWithShape", MakeTensorArrayGrad},
    {"TensorArrayWriteV3", MakeTensorArrayWrite},
    {"TensorArrayReadV3", MakeTensorArrayRead},
    {"TensorArrayGatherV3", MakeTensorArrayGather},
    {"TensorArrayScatterV3", MakeTensorArrayScatter},
    {"TensorArrayConcatV3", MakeTensorArrayConcat},
    {"TensorArraySplitV3", MakeTensorArraySplit},
    {"TensorArraySizeV3", MakeTensorArraySize},
    {"TensorArrayCloseV3", MakeTensorArrayClose},
};

}  // namespace

std::span<const KernelRow> DataFlowTensorArray() { return kRows; }

}  // namespace plumb::fast::cpu
