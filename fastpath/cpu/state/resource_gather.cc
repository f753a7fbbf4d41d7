// Rows and slices of a resource variable.
#include <algorithm>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/resource_kernel.h"
#include "fastpath/cpu/state/nd_rows.h"
#include "fastpath/device/kernel.h"
#include "fastpath/device/variable_access.h"

namespace plumb::fast::cpu {
namespace {

// R44: rows of a variable. The leading batch_dims dimensions of indices and variable run together.
class ResourceGatherKernel : public ResourceKernel {
 public:
  explicit ResourceGatherKernel(const Node& node)
      : ResourceKernel(node),
        dtype_(GetAttr<DType>(node.attrs, "dtype")),
        batch_dims_(GetAttrOr<int64_t>(node.attrs, "batch_dims", 0)) {}

  void Run(KernelContext& context) override {
    const Tensor& index_tensor = context.input(1);
    Require(batch_dims_ <= index_tensor.rank(), "batch_dims ", batch_dims_, " does not fit indices of shape ",
            Printed(index_tensor.shape()));
    Existing(context)->ReadRows(node_, [&](const Tensor& params) { Gather(context, params); });
  }

 private:
  // While nobody writes the variable.
  void Gather(KernelContext& context, const Tensor& params) const {
    RequireType(params.dtype(), dtype_);
    const Tensor& index_tensor = context.input(1);
    const int batch_dims = CheckedBatchDims(params.shape(), index_tensor.shape());
    const std::vector<int64_t> indices = ToInt64s(index_tensor);
    const int64_t limit = params.dim(batch_dims);
    for (size_t i = 0; i < indices.size(); ++i) {
      Require(indices[i] >= 0 && indices[i] < limit, "indices[", i, "] = ", indices[i], " is not in [0, ", limit, ")");
    }
    std::vector<int64_t> dims = index_tensor.shape().ToVector();
    dims.insert(dims.end(), params.shape().dims().begin() + batch_dims + 1, params.shape().dims().end());
    Tensor& output = context.AllocateOutput(0, dtype_, Shape(dims));
    if (output.elements() > 0) CopyRows(params, batch_dims, indices, output);
  }

  int CheckedBatchDims(const Shape& params, const Shape& indices) const {
    const int64_t batch_dims = batch_dims_ < 0 ? batch_dims_ + indices.rank() : batch_dims_;
    Require(batch_dims >= 0 && batch_dims <= indices.rank() && batch_dims < params.rank(), "batch_dims ", batch_dims_,
            " does not fit indices of shape ", Printed(indices), " and a variable of shape ", Printed(params));
    for (int axis = 0; axis < batch_dims; ++axis) {
      Require(params[axis] == indices[axis], "the batch dimensions of ", Printed(params), " and ", Printed(indices),
              " differ");
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

// R44: slices of a variable, each named by a position in its first dimensions.
class ResourceGatherNdKernel final : public ResourceKernel {
 public:
  explicit ResourceGatherNdKernel(const Node& node)
      : ResourceKernel(node), dtype_(GetAttr<DType>(node.attrs, "dtype")) {}

  void Run(KernelContext& context) override {
    Existing(context)->ReadRows(node_, [&](const Tensor& params) { Gather(context, params); });
  }

 private:
  void Gather(KernelContext& context, const Tensor& params) const {
    RequireType(params.dtype(), dtype_);
    const Tensor& indices = context.input(1);
    const Shape& shape = params.shape();
    Require(shape.rank() >= 1 && indices.rank() >= 1, "slices of the shape ", Printed(shape), " by indices of shape ",
            Printed(indices.shape()), ": both need a dimension");
    const int batch = indices.rank() - 1;
    Require(indices.dim(batch) <= shape.rank(), "an index of ", indices.dim(batch), " numbers does not fit the shape ",
            Printed(shape));
    const int depth = static_cast<int>(indices.dim(batch));
    const int64_t count = ElementsIn(indices.shape(), 0, batch);
    Require(count == 0 || shape.elements() > 0, "slices are asked for of the empty shape ", Printed(shape));
    std::vector<int64_t> slices = SlicesNamed(indices, depth, shape);
    if (depth == 0) slices.assign(static_cast<size_t>(count), 0);
    Dims dims;
    for (int axis = 0; axis < batch; ++axis) dims.Append(indices.dim(axis));
    for (int axis = depth; axis < shape.rank(); ++axis) dims.Append(shape[axis]);
    Tensor& output = context.AllocateOutput(0, dtype_, dims.ToShape());
    if (output.elements() > 0) CopySlices(context.pool(), params, slices, output);
  }

  static void CopySlices(ThreadPool& pool, const Tensor& params, std::span<const int64_t> slices, Tensor& output) {
    const int64_t width = output.elements() / static_cast<int64_t>(slices.size());
    VisitType(params.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const from = params.data<T>().data();
      T* const to = output.mutable_data<T>().data();
      pool.ParallelFor(static_cast<int64_t>(slices.size()), GrainFor(width), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          const T* const slice = from + slices[static_cast<size_t>(i)] * width;
          to[i * width] = *slice;  // without a call where it is all
          std::copy_n(slice + 1, width - 1, to + i * width + 1);
        }
      });
    });
  }

  const DType dtype_;
};

constexpr KernelRow kRows[] = {
    {"ResourceGather", Make<ResourceGatherKernel>},
    {"ResourceGatherNd", Make<ResourceGatherNdKernel>},
};

}  // namespace

std::span<const KernelRow> StateResourceGather() { return kRows; }

}  // namespace plumb::fast::cpu
