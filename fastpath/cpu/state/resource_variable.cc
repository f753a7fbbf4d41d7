// Variables behind resource handles (rules R40–R49). The kernels here are the state family's second file.
#include "fastpath/cpu/lib/update.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/families.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/variable_access.h"

namespace plumb::fast::cpu {
namespace {

// R40: only the handle; no variable exists until it is assigned.
class VarHandleKernel : public Kernel {
 public:
  explicit VarHandleKernel(const Node& node) : handle_(DType::kResource, Shape()) {
    ResourceHandle& handle = handle_.mutable_data<ResourceHandle>()[0];
    handle.device = node.device;
    const std::string container = GetAttrOr<std::string>(node.attrs, "container", "");  // R2, R3: no rule for names
    handle.container = container.empty() ? "localhost" : container;
    handle.name = GetAttrOr<std::string>(node.attrs, "shared_name", "");
    handle.type_name = kVariableTypeName;
    handle.dtype = GetAttr<DType>(node.attrs, "dtype");
    handle.shape_text = GetAttr<PartialShape>(node.attrs, "shape").ToString();
  }
  void Run(KernelContext& context) override { context.SetOutput(0, handle_); }

 private:
  Tensor handle_;
};

// What the kernels below share: their handle is input 0.
class ResourceKernel : public Kernel {
 public:
  explicit ResourceKernel(const Node& node) : node_(node.name) {}

 protected:
  // Throws NotFound (R43, R44) or, for readers, what they say.
  std::shared_ptr<ResourceVariable> Existing(KernelContext& context) {
    auto variable = lookup_.Find(context, context.input(0));
    if (variable == nullptr) throw NotFound("node ", node_, ": resource ", NameIn(context), " does not exist");
    return variable;
  }
  std::string NameIn(KernelContext& context) const {
    const ResourceHandle& handle = HandleIn(context.input(0), kVariableTypeName);
    return Str(handle.container, "/", handle.name);
  }
  void RequireType(const Tensor& value, DType wanted) const {
    Require(value.dtype() == wanted, "node ", node_, ": the variable holds ", DTypeName(value.dtype()), ", not ",
            DTypeName(wanted));
  }

  const std::string node_;
  VariableLookup lookup_;
};

// R42.
class ReadVariableKernel : public ResourceKernel {
 public:
  explicit ReadVariableKernel(const Node& node) : ResourceKernel(node), dtype_(GetAttr<DType>(node.attrs, "dtype")) {}

  void Run(KernelContext& context) override {
    const auto variable = lookup_.Find(context, context.input(0));
    if (variable != nullptr) {
      std::lock_guard lock(variable->mutex);
      if (variable->tensor.IsSet()) {
        RequireType(variable->tensor, dtype_);
        context.SetOutput(0, variable->tensor);
        return;
      }
    }
    throw FailedPrecondition("node ", node_, ": Error while reading resource variable ", NameIn(context),
                             ": it was never assigned; run its initializer first");
  }

 private:
  const DType dtype_;
};

// R41: value semantics, any shape; the type may not change.
class AssignVariableKernel : public ResourceKernel {
 public:
  explicit AssignVariableKernel(const Node& node)
      : ResourceKernel(node),
        dtype_(GetAttr<DType>(node.attrs, "dtype")),
        validate_shape_(GetAttrOr(node.attrs, "validate_shape", false)) {}

  void Run(KernelContext& context) override {
    const Tensor& value = context.input(1);
    RequireHandleType(context.input(0));
    const auto variable = lookup_.FindOrCreate(context, context.input(0));
    std::lock_guard lock(variable->mutex);
    if (variable->tensor.IsSet()) {
      RequireType(variable->tensor, dtype_);
      Require(!validate_shape_ || variable->tensor.shape() == value.shape(), "node ", node_, ": a value of shape ",
              Printed(value.shape()), " cannot be assigned to a variable of shape ", Printed(variable->tensor.shape()));
    }
    variable->dtype = dtype_;
    variable->tensor = value;
  }

 private:
  void RequireHandleType(const Tensor& tensor) const {
    const ResourceHandle& handle = HandleIn(tensor, kVariableTypeName);
    Require(handle.dtype == dtype_ || handle.dtype == DType::kInvalid, "node ", node_,
            ": the handle is of a variable of ", DTypeName(handle.dtype), ", the value is ", DTypeName(dtype_));
  }

  const DType dtype_;
  const bool validate_shape_;
};

// R43.
class AssignAddVariableKernel : public ResourceKernel {
 public:
  explicit AssignAddVariableKernel(const Node& node) : ResourceKernel(node) {
    if (!CanUpdate(InputType(node, 1))) ThrowNoKernel(node);
  }

  void Run(KernelContext& context) override {
    const Tensor& value = context.input(1);
    const auto variable = Existing(context);
    std::lock_guard lock(variable->mutex);
    const Tensor& current = ValueOf(*variable, node_);
    RequireType(current, value.dtype());
    Require(current.shape() == value.shape(), "node ", node_, ": a value of shape ", Printed(value.shape()),
            " cannot update a variable of shape ", Printed(current.shape()));
    UpdateInto(context.pool(), Update::kAdd, WritableValueOf(*variable, node_), value);
  }
};

class VarIsInitializedKernel : public ResourceKernel {
 public:
  using ResourceKernel::ResourceKernel;

  void Run(KernelContext& context) override {
    const auto variable = lookup_.Find(context, context.input(0));
    bool initialized = false;
    if (variable != nullptr) {
      std::lock_guard lock(variable->mutex);
      initialized = variable->tensor.IsSet();
    }
    context.AllocateOutput(0, DType::kBool, Shape()).mutable_data<bool>()[0] = initialized;
  }
};

// R44: rows of a variable. The leading batch_dims dimensions of indices and variable run together.
class ResourceGatherKernel : public ResourceKernel {
 public:
  explicit ResourceGatherKernel(const Node& node)
      : ResourceKernel(node),
        dtype_(GetAttr<DType>(node.attrs, "dtype")),
        batch_dims_(GetAttrOr<int64_t>(node.attrs, "batch_dims", 0)) {}

  void Run(KernelContext& context) override {
    const Tensor& index_tensor = context.input(1);
    Require(batch_dims_ <= index_tensor.rank(), "node ", node_, ": batch_dims ", batch_dims_,
            " does not fit indices of shape ", Printed(index_tensor.shape()));
    const Tensor params = Snapshot(context);
    const int batch_dims = CheckedBatchDims(params.shape(), index_tensor.shape());
    const std::vector<int64_t> indices = ToInt64s(index_tensor);
    const int64_t limit = params.dim(batch_dims);
    for (size_t i = 0; i < indices.size(); ++i) {
      Require(indices[i] >= 0 && indices[i] < limit, "node ", node_, ": indices[", i, "] = ", indices[i],
              " is not in [0, ", limit, ")");
    }
    std::vector<int64_t> dims = index_tensor.shape().ToVector();
    dims.insert(dims.end(), params.shape().dims().begin() + batch_dims + 1, params.shape().dims().end());
    Tensor& output = context.AllocateOutput(0, dtype_, Shape(dims));
    if (output.elements() > 0) CopyRows(params, batch_dims, indices, output);
  }

 private:
  Tensor Snapshot(KernelContext& context) {
    const auto variable = Existing(context);
    std::lock_guard lock(variable->mutex);
    const Tensor& value = ValueOf(*variable, node_);
    RequireType(value, dtype_);
    return value;
  }

  int CheckedBatchDims(const Shape& params, const Shape& indices) const {
    const int64_t batch_dims = batch_dims_ < 0 ? batch_dims_ + indices.rank() : batch_dims_;
    Require(batch_dims >= 0 && batch_dims <= indices.rank() && batch_dims < params.rank(), "node ", node_,
            ": batch_dims ", batch_dims_, " does not fit indices of shape ", Printed(indices),
            " and a variable of shape ", Printed(params));
    for (int axis = 0; axis < batch_dims; ++axis) {
      Require(params[axis] == indices[axis], "node ", node_, ": the batch dimensions of ", Printed(params), " and ",
              Printed(indices), " differ");
    }
    return static_cast<int>(batch_dims);
  }

  static void CopyRows(const Tensor& params, int batch_dims, std::span<const int64_t> indices, Tensor& output) {
    int64_t batches = 1, row = 1;
    for (int axis = 0; axis < batch_dims; ++axis) batches *= params.dim(axis);
    for (int axis = batch_dims + 1; axis < params.rank(); ++axis) row *= params.dim(axis);
    const int64_t per_batch = static_cast<int64_t>(indices.size()) / batches;
    VisitType(params.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const from = params.data<T>().data();
      T* to = output.mutable_data<T>().data();
      for (size_t i = 0; i < indices.size(); ++i, to += row) {
        const int64_t batch = static_cast<int64_t>(i) / per_batch;
        const T* const source = from + (batch * params.dim(batch_dims) + indices[i]) * row;
        std::copy(source, source + row, to);
      }
    });
  }

  const DType dtype_;
  const int64_t batch_dims_;
};

// R48.
class VariableShapeKernel : public ResourceKernel {
 public:
  explicit VariableShapeKernel(const Node& node) : ResourceKernel(node), dtype_(OutputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const Shape shape = ShapeNow(context);
    Tensor& output = context.AllocateOutput(0, dtype_, {shape.rank()});
    for (int axis = 0; axis < shape.rank(); ++axis) {
      if (dtype_ == DType::kInt64) {
        output.mutable_data<int64_t>()[axis] = shape.dim(axis);
      } else {
        Require(shape.dim(axis) <= INT32_MAX, "node ", node_, ": the variable's dimension ", shape.dim(axis),
                " does not fit into int32");
        output.mutable_data<int32_t>()[axis] = static_cast<int32_t>(shape.dim(axis));
      }
    }
  }

 private:
  Shape ShapeNow(KernelContext& context) {
    const auto variable = Existing(context);
    std::lock_guard lock(variable->mutex);
    return ValueOf(*variable, node_).shape();
  }

  const DType dtype_;
};

constexpr KernelRow kRows[] = {
    {"VarHandleOp", Make<VarHandleKernel>},
    {"ReadVariableOp", Make<ReadVariableKernel>},
    {"AssignVariableOp", Make<AssignVariableKernel>},
    {"AssignAddVariableOp", Make<AssignAddVariableKernel>},
    {"VarIsInitializedOp", Make<VarIsInitializedKernel>},
    {"ResourceGather", Make<ResourceGatherKernel>},
    {"VariableShape", Make<VariableShapeKernel>},
};

}  // namespace

std::span<const KernelRow> ResourceVariableKernels() { return kRows; }

}  // namespace plumb::fast::cpu
