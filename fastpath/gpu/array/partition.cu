// Rows dealt out and put together by index.
#include <algorithm>
#include <vector>

#include "fastpath/gpu/gpu_inside.h"
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/known_numbers.h"
#include "fastpath/gpu/lib/rows/dealt_rows.h"
#include "fastpath/gpu/lib/rows/named_rows.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Row k of the result is row rows[begin + k] of the data.
template <class T>
PLUMB_GPU_KERNEL TakeLoop(Global<const T> data, Global<const int64_t> rows, int64_t begin, Global<T> out,
                          int64_t inner) {
  for (int64_t i = First(); i < out.size; i += Stride()) out[i] = data[rows[begin + i / inner] * inner + i % inner];
}

// The host waits for how many rows each output has.
class DynamicPartition final : public GpuKernel {
 public:
  explicit DynamicPartition(const Node& node) : lists_(GetAttr<int64_t>(node.attrs, "num_partitions")) {
    Require(lists_ >= 1, "num_partitions must be at least 1, and is ", lists_);
  }
  void Run(GpuContext& context) override {
    const Tensor data = context.input(0), partitions = context.input(1);
    const int prefix = partitions.rank();
    bool starts_alike = data.rank() >= prefix;
    for (int i = 0; starts_alike && i < prefix; ++i) starts_alike = data.dim(i) == partitions.dim(i);
    Require(starts_alike, "the shape of data, ", data.shape().ToString(), ", must start with that of partitions, ",
            partitions.shape().ToString());
    const Shape lists({lists_});
    const Tensor places =
        PlacesOf(context, partitions, SlicesOf(lists, 1), partitions.elements(), context.NewSlot(OutsideOf(lists)));
    const DealtRows dealt = DealRows(context, context.ViewOf<int64_t>(places), lists_);
    const std::vector<int64_t> begins = BringNumbers(context, dealt.begins);
    std::vector<int64_t> dims(data.shape().dims().begin() + prefix, data.shape().dims().end());
    const int64_t inner = ElementsIn(data.shape(), prefix, data.rank());
    dims.insert(dims.begin(), 0);
    for (size_t p = 0; p + 1 < begins.size(); ++p) {
      dims[0] = begins[p + 1] - begins[p];
      Tensor out = context.AllocateOutput(static_cast<int>(p), Shape(dims));
      Take(context, data, dealt.rows, begins[p], inner, out);
    }
  }

 private:
  static void Take(GpuContext& context, const Tensor& data, const Tensor& rows, int64_t begin, int64_t inner,
                   Tensor& out) {
    ForSizeOf(context.node(), data.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      Launch(context.stream(), LoopOver(out.elements()), TakeLoop<T>, context.ViewOf<T>(data),
             context.ViewOf<int64_t>(rows), begin, context.ViewOf<T>(out), inner);
    });
  }

  const int64_t lists_;
};

// Rows of the data put where targets[first + row] says, unless that is nowhere.
template <class T>
PLUMB_GPU_KERNEL PutLoop(Global<const T> data, Global<const int64_t> targets, int64_t first, Global<T> out,
                         int64_t inner) {
  for (int64_t i = First(); i < data.size; i += Stride()) {
    const int64_t target = targets[first + i / inner];
    if (target >= 0) out[target * inner + i % inner] = data[i];
  }
}

// merged[indices[m][i]] = data[m][i]; a later one wins. Places that no index names are zero (N15). The indices lie on
// the host, for the result is as long as they say.
class DynamicStitch final : public GpuKernel {
 public:
  explicit DynamicStitch(const Node&) {}
  void Run(GpuContext& context) override {
    const int count = context.num_inputs() / 2;
    for (int m = 0; m < count; ++m) CheckIndices(context, m);
    const Shape shape = context.OutputShape(0);
    Tensor merged = context.AllocateOutput(0, shape);
    if (shape.elements() == 0) return;
    const std::vector<int64_t> targets = Targets(context, count, shape[0]);
    const auto named = std::count_if(targets.begin(), targets.end(), [](int64_t target) { return target >= 0; });
    if (named < shape[0]) context.Clear(merged);
    Tensor on_host = Allocate(DType::kInt64, Shape({static_cast<int64_t>(targets.size())}));
    std::copy(targets.begin(), targets.end(), on_host.mutable_data<int64_t>().begin());
    const Tensor held = GpuInside(context.device()).Held(on_host);
    const int64_t inner = shape.elements() / shape[0];
    int64_t first = 0;
    for (int m = 0; m < count; ++m) {
      Put(context, context.input(count + m), held, first, inner, merged);
      first += context.input(m).elements();
    }
  }

 private:
  static void CheckIndices(const GpuContext& context, int m) {
    for (const int64_t index : ToInt64s(context.input(m))) {
      Require(index >= 0, "indices must not be negative, and one is ", index);
    }
  }

  // Where each row of all the data goes; -1 where a later one goes to the same place.
  static std::vector<int64_t> Targets(const GpuContext& context, int count, int64_t places) {
    std::vector<int64_t> targets;
    for (int m = 0; m < count; ++m) {
      for (const int64_t index : ToInt64s(context.input(m))) targets.push_back(index);
    }
    std::vector<bool> taken(static_cast<size_t>(places), false);
    for (auto target = targets.rbegin(); target != targets.rend(); ++target) {
      const auto place = static_cast<size_t>(*target);
      if (taken[place]) *target = -1;
      taken[place] = true;
    }
    return targets;
  }

  static void Put(GpuContext& context, const Tensor& data, const Tensor& targets, int64_t first, int64_t inner,
                  Tensor& merged) {
    ForSizeOf(context.node(), data.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      Launch(context.stream(), LoopOver(data.elements()), PutLoop<T>, context.ViewOf<T>(data),
             context.ViewOf<int64_t>(targets), first, context.ViewOf<T>(merged), inner);
    });
  }
};

constexpr GpuKernelRow kRows[] = {
    {"DynamicPartition", Make<DynamicPartition>},
    {"DynamicStitch", Make<DynamicStitch>},
    {"ParallelDynamicStitch", Make<DynamicStitch>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayPartition() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
