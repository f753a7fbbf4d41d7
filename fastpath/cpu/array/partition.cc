// Rows dealt out and put together by index.
#include <algorithm>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// Rows of data dealt out to `num_partitions` outputs, in order.
class DynamicPartition final : public Kernel {
 public:
  explicit DynamicPartition(const Node& node)
      : type_(InputType(node, 0)), num_(GetAttr<int64_t>(node.attrs, "num_partitions")) {
    Require(num_ >= 1, "num_partitions must be at least 1, and is ", num_);
  }
  void Run(KernelContext& context) override {
    const Tensor &data = context.input(0), &partitions = context.input(1);
    const int prefix = partitions.rank();
    bool starts_alike = data.rank() >= prefix;
    for (int i = 0; starts_alike && i < prefix; ++i) starts_alike = data.dim(i) == partitions.dim(i);
    Require(starts_alike, "the shape of data, ", data.shape().ToString(), ", must start with that of partitions, ",
            partitions.shape().ToString());
    const std::span<const int32_t> target = partitions.data<int32_t>();
    std::vector<int64_t> rows(static_cast<size_t>(num_), 0);
    for (size_t i = 0; i < target.size(); ++i) {
      Require(target[i] >= 0 && target[i] < num_, "partitions[", i, "] = ", target[i], " is not in [0, ", num_, ")");
      ++rows[static_cast<size_t>(target[i])];
    }
    const int64_t inner = ElementsIn(data.shape(), prefix, data.rank());
    std::vector<void*> to;
    for (int p = 0; p < static_cast<int>(num_); ++p) {
      Dims dims;
      dims.Append(rows[static_cast<size_t>(p)]);
      for (int i = prefix; i < data.rank(); ++i) dims.Append(data.dim(i));
      to.push_back(context.AllocateOutput(p, type_, dims.ToShape()).mutable_raw());
    }
    if (data.elements() == 0) return;
    std::vector<int64_t> next(static_cast<size_t>(num_), 0);
    for (size_t i = 0; i < target.size(); ++i) {
      const auto p = static_cast<size_t>(target[i]);
      CopyRun(type_, data.raw(), static_cast<int64_t>(i) * inner, to[p], next[p]++ * inner, inner);
    }
  }

 private:
  DType type_;
  int64_t num_;
};

// merged[indices[m][i]] = data[m][i]; a later one wins. Places that no index names are zero (N15).
class DynamicStitch final : public Kernel {
 public:
  explicit DynamicStitch(const Node& node) : type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const int count = context.num_inputs() / 2;
    int64_t last = -1, named = 0;
    for (int m = 0; m < count; ++m) {
      const Tensor& indices = context.input(m);
      CheckShapes(indices.shape(), context.input(count + m).shape(), context.input(0).rank(),
                  context.input(count).shape());
      for (const int32_t index : indices.data<int32_t>()) {
        Require(index >= 0 && index < INT32_MAX, "indices must be in [0, 2^31 - 1), and one is ", index);
        last = std::max<int64_t>(last, index);
      }
      named += indices.elements();
    }
    Dims dims;
    dims.Append(last + 1);
    const Tensor& first = context.input(count);
    for (int i = context.input(0).rank(); i < first.rank(); ++i) dims.Append(first.dim(i));
    const int64_t inner = ElementsIn(first.shape(), context.input(0).rank(), first.rank());
    Tensor& merged = context.AllocateOutput(0, type_, dims.ToShape());
    if (merged.elements() == 0) return;
    if (!NamesAll(context, count, last + 1, named)) FillZero(context.pool(), merged);
    for (int m = 0; m < count; ++m) {
      const std::span<const int32_t> indices = context.input(m).data<int32_t>();
      for (size_t i = 0; i < indices.size(); ++i) {
        CopyRun(type_, context.input(count + m).raw(), static_cast<int64_t>(i) * inner, merged.mutable_raw(),
                indices[i] * inner, inner);
      }
    }
  }

 private:
  static void CheckShapes(const Shape& indices, const Shape& data, int first_indices_rank, const Shape& first_data) {
    bool starts_alike = data.rank() >= indices.rank();
    for (int i = 0; starts_alike && i < indices.rank(); ++i) starts_alike = data[i] == indices[i];
    Require(starts_alike, "the shape of data, ", data.ToString(), ", must start with that of indices, ",
            indices.ToString());
    bool ends_alike = data.rank() - indices.rank() == first_data.rank() - first_indices_rank;
    for (int i = 0; ends_alike && i < data.rank() - indices.rank(); ++i) {
      ends_alike = data[indices.rank() + i] == first_data[first_indices_rank + i];
    }
    Require(ends_alike, "the rows of data have different shapes: ", data.ToString(), " and ", first_data.ToString());
  }

  // Whether every place of the result has an index.
  static bool NamesAll(const KernelContext& context, int count, int64_t places, int64_t named) {
    if (named < places) return false;
    std::vector<bool> seen(static_cast<size_t>(places), false);
    for (int m = 0; m < count; ++m) {
      for (const int32_t index : context.input(m).data<int32_t>()) seen[static_cast<size_t>(index)] = true;
    }
    return std::find(seen.begin(), seen.end(), false) == seen.end();
  }

  DType type_;
};

constexpr KernelRow kRows[] = {
    {"DynamicPartition", Make<DynamicPartition>},
    {"DynamicStitch", Make<DynamicStitch>},
    {"ParallelDynamicStitch", Make<DynamicStitch>},
};

}  // namespace

std::span<const KernelRow> ArrayPartition() { return kRows; }

}  // namespace plumb::fast::cpu
