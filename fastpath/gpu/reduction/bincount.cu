// Bincount and DenseBincount: how often numbers occur, or the sums of their weights.
#include "fastpath/formulas/reduction/bin_counts.h"
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/folds.h"
#include "fastpath/gpu/lib/rows/row_lists.h"
#include "fastpath/gpu/lib/rows/segment_folds.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// The bin of each number, by rows; -1 for one beyond the last bin. The slot gets the place of a negative one, plus 1.
template <class Index>
PLUMB_GPU_KERNEL BinsLoop(Global<const Index> numbers, int64_t width, int64_t size, Global<int64_t> bins,
                          Global<int64_t> slot) {
  for (int64_t i = First(); i < numbers.size; i += Stride()) {
    const int64_t number = numbers[i];
    if (number < 0) AtomicCas(slot[0], int64_t{0}, i + 1);
    bins[i] = number < 0 || number >= size ? -1 : i / width * size + number;
  }
}

// Whole numbers add up to the same in any order. No weights: each number counts once.
template <class T>
PLUMB_GPU_KERNEL CountLoop(Global<const int64_t> bins, Global<const T> weights, Global<T> sums) {
  for (int64_t i = First(); i < bins.size; i += Stride()) {
    if (bins[i] >= 0) AtomicAdd(sums[bins[i]], weights.size == 0 ? T(1) : weights[i]);
  }
}

template <class T>
PLUMB_GPU_KERNEL StoreCounts(Global<const int64_t> counts, bool is_binary, Global<T> out) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const int64_t count = counts[i];
    out[i] = static_cast<T>(is_binary && count > 0 ? 1 : count);
  }
}

template <class T>
class Bincount final : public GpuKernel {
 public:
  Bincount(const Node& node, bool is_dense)
      : is_dense_(is_dense), is_binary_(GetAttrOr(node.attrs, "binary_output", false)) {}

  void Run(GpuContext& context) override {
    const Tensor numbers = context.input(0), weights = context.input(2);
    const BinCounts counts = BinCountsOf(numbers.shape(), context.input(1), weights.shape(), is_dense_);
    Tensor output = context.AllocateOutput(0, counts.shape);
    context.Clear(output);
    if (numbers.elements() == 0) return;
    const Tensor bins = BinsOf(context, numbers, numbers.elements() / counts.rows, counts.size);
    Add(context, context.ViewOf<int64_t>(bins), weights, output);
  }

 private:
  static Tensor BinsOf(GpuContext& context, const Tensor& numbers, int64_t width, int64_t size) {
    Tensor bins = context.Scratch(DType::kInt64, Shape({numbers.elements()}));
    const Global<int64_t> slot = context.NewSlot([](int64_t number) {
      return Status(Code::kInvalidArgument, Str("element ", number - 1, " must not be negative"));
    });
    ForType(context.node(), numbers.dtype(), TypeList<int32_t, int64_t>(), [&](auto tag) {
      using Index = typename decltype(tag)::Type;
      Launch(context.stream(), LoopOver(numbers.elements()), BinsLoop<Index>, context.ViewOf<Index>(numbers), width,
             size, context.ViewOf<int64_t>(bins), slot);
      return true;
    });
    return bins;
  }

  void Add(GpuContext& context, Global<const int64_t> bins, const Tensor& weights, Tensor& output) const {
    const Global<T> out = context.ViewOf<T>(output);
    if (out.size == 0) return;
    if (weights.elements() == 0 || is_binary_) {
      Tensor counts = context.Scratch(DType::kInt64, output.shape());
      context.Clear(counts);
      const auto count = context.ViewOf<int64_t>(counts);
      Launch(context.stream(), LoopOver(bins.size), CountLoop<int64_t>, bins, Global<const int64_t>(), count);
      return Launch(context.stream(), LoopOver(out.size), StoreCounts<T>, count, is_binary_, out);
    }
    const auto weight = context.ViewOf<T>(weights);
    if constexpr (std::is_integral_v<T>) {
      Launch(context.stream(), LoopOver(bins.size), CountLoop<T>, bins, weight, out);
    } else {
      const RowLists lists = ListRows(context, bins, out.size);
      const SegmentEntries<int64_t> entries{context.ViewOf<int64_t>(lists.begins),
                                            context.ViewOf<int64_t>(lists.counts), context.ViewOf<int64_t>(lists.rows)};
      FoldSegments<SumFold<T>, int64_t>(context, weight, entries, bins.size, out, SumFold<T>());
    }
  }

  const bool is_dense_, is_binary_;
};

template <bool is_dense>
std::unique_ptr<GpuKernel> MakeBincount(const Node& node) {
  using Types = TypeList<int32_t, float>;
  return ForType(node, node.output_types[0], Types(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<Bincount<typename decltype(tag)::Type>>(node, is_dense);
  });
}

constexpr GpuKernelRow kRows[] = {
    {"Bincount", MakeBincount<false>},
    {"DenseBincount", MakeBincount<true>},
};

}  // namespace

std::span<const GpuKernelRow> ReductionBincount() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
