// Rows and slices of a variable behind a handle (R44).
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/rows/gathered.h"
#include "fastpath/gpu/lib/variables/variable_kernel.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// The leading batch_dims dimensions of indices and variable run together.
class ResourceGather final : public VariableKernel {
 public:
  explicit ResourceGather(const Node& node)
      : VariableKernel(node),
        dtype_(GetAttr<DType>(node.attrs, "dtype")),
        batch_dims_(GetAttrOr<int64_t>(node.attrs, "batch_dims", 0)) {}

 private:
  void RunInside(GpuContext& context, Variable& variable) override {
    variable.ReadRows(node_, [&](const Tensor& params) { Pick(context, params); });
  }

  // While nobody writes the variable.
  void Pick(GpuContext& context, const Tensor& params) const {
    RequireType(params.dtype(), dtype_);
    const Tensor& indices = context.input(1);
    const int batch_dims = CheckedBatchDims(params.shape(), indices.shape());
    std::vector<int64_t> dims = indices.shape().ToVector();
    dims.insert(dims.end(), params.shape().dims().begin() + batch_dims + 1, params.shape().dims().end());
    Tensor output = context.AllocateOutput(0, Shape(dims));
    if (indices.elements() == 0) return;
    GatherSizes sizes;
    sizes.limit = params.dim(batch_dims);
    sizes.count = ElementsIn(indices.shape(), batch_dims, indices.rank());
    sizes.inner = ElementsIn(params.shape(), batch_dims + 1, params.rank());
    Gather(context, params, indices, sizes, output);
  }

  int CheckedBatchDims(const Shape& params, const Shape& indices) const {
    const int64_t batch_dims = batch_dims_ < 0 ? batch_dims_ + indices.rank() : batch_dims_;
    Require(batch_dims >= 0 && batch_dims <= indices.rank() && batch_dims < params.rank(), "batch_dims ", batch_dims_,
            " does not fit indices of shape ", indices.ToString(), " and a variable of shape ", params.ToString());
    for (int axis = 0; axis < batch_dims; ++axis) {
      Require(params[axis] == indices[axis], "the batch dimensions of ", params.ToString(), " and ", indices.ToString(),
              " differ");
    }
    return static_cast<int>(batch_dims);
  }

  const DType dtype_;
  const int64_t batch_dims_;
};

// Each slice is named by a position in the variable's first dimensions.
class ResourceGatherNd final : public VariableKernel {
 public:
  explicit ResourceGatherNd(const Node& node) : VariableKernel(node), dtype_(GetAttr<DType>(node.attrs, "dtype")) {}

 private:
  void RunInside(GpuContext& context, Variable& variable) override {
    variable.ReadRows(node_, [&](const Tensor& params) { Pick(context, params); });
  }

  void Pick(GpuContext& context, const Tensor& params) const {
    RequireType(params.dtype(), dtype_);
    const Tensor& indices = context.input(1);
    const Shape& shape = params.shape();
    Require(shape.rank() >= 1 && indices.rank() >= 1, "slices of the shape ", shape.ToString(), " by indices of shape ",
            indices.shape().ToString(), ": both need a dimension");
    const int batch = indices.rank() - 1;
    Require(indices.dim(batch) <= shape.rank(), "an index of ", indices.dim(batch), " numbers does not fit the shape ",
            shape.ToString());
    const int depth = static_cast<int>(indices.dim(batch));
    const int64_t count = ElementsIn(indices.shape(), 0, batch);
    Require(count == 0 || shape.elements() > 0, "slices are asked for of the empty shape ", shape.ToString());
    std::vector<int64_t> dims(indices.shape().dims().begin(), indices.shape().dims().begin() + batch);
    dims.insert(dims.end(), shape.dims().begin() + depth, shape.dims().end());
    Tensor output = context.AllocateOutput(0, Shape(dims));
    if (output.elements() > 0) GatherSlices(context, params, indices, SlicesOf(shape, depth), output);
  }

  const DType dtype_;
};

constexpr GpuKernelRow kRows[] = {
    {"ResourceGather", Make<ResourceGather>},
    {"ResourceGatherNd", Make<ResourceGatherNd>},
};

}  // namespace

std::span<const GpuKernelRow> StateResourceGather() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
