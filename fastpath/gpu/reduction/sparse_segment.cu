// SparseSegmentSum and its kin: rows that indices name, added up by segment, and their gradients.
#include <cmath>

#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/folds.h"
#include "fastpath/gpu/lib/rows/named_rows.h"
#include "fastpath/gpu/lib/rows/segment_folds.h"
#include "fastpath/gpu/lib/rows/segment_runs.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

enum class Scale { kNone, kMean, kSqrtN };

// What the sum of so many rows is divided by.
template <Scale scale, class V>
PLUMB_GPU_INLINE V DivisorOf(int64_t rows) {
  const auto count = static_cast<double>(rows);
  return static_cast<V>(scale == Scale::kNone ? 1.0 : scale == Scale::kMean ? count : std::sqrt(count));
}

// One row is its own sum, down to the sign of zero (N19).
template <class T, Scale scale>
struct ScaledSum : SumFold<T> {
  using Value = typename SumFold<T>::Value;
  using KeepsSingle = void;
  PLUMB_GPU_INLINE T StoreFor(Value sum, int64_t count) const {
    return Computed<T>::Store(count == 0 ? Value(0) : sum / DivisorOf<scale, Value>(count));
  }
};

void CheckIndices(const GpuContext& context) {
  const Tensor &indices = context.input(1), &ids = context.input(2);
  Require(context.input(0).rank() >= 1, "data must have at least one dimension");
  Require(indices.rank() == 1 && ids.rank() == 1 && indices.dim(0) == ids.dim(0), "indices of shape ",
          indices.shape().ToString(), " and segment_ids of shape ", ids.shape().ToString(),
          " must be vectors of one length");
}

// The one number of input 3.
int64_t GivenRows(const GpuContext& context, std::string_view name) {
  Require(context.input(3).rank() == 0, name, " must be a scalar");
  const int64_t given = NumberIn(context.input(3));
  Require(given >= 0, name, " is ", given, ", but must not be negative");
  return given;
}

Refusal OutOfRows(int64_t rows) {
  return [rows](int64_t number) {
    return Status(Code::kInvalidArgument, Str("indices[", number - 1, "] is not in [0, ", rows, ")"));
  };
}

template <class T, Scale scale>
class SparseSegment final : public GpuKernel {
 public:
  explicit SparseSegment(const Node&) {}
  void Run(GpuContext& context) override {
    CheckIndices(context);
    const Tensor data = context.input(0), indices = context.input(1);
    const int64_t given = context.num_inputs() == 4 ? GivenRows(context, "num_segments") : -1;
    const SegmentRuns runs(context, context.input(2), given);
    const Shape rows = Shape({data.dim(0)});
    const Tensor places =
        PlacesOf(context, indices, SlicesOf(rows, 1), indices.elements(), context.NewSlot(OutOfRows(data.dim(0))));
    Tensor y = context.AllocateOutput(0, WithRows(data.shape(), runs.segments()));
    const SegmentEntries<int64_t> entries{runs.begins(context), runs.counts(context), context.ViewOf<int64_t>(places)};
    FoldSegments<ScaledSum<T, scale>, int64_t>(context, context.In<T>(0), entries, indices.elements(),
                                               context.ViewOf<T>(y), ScaledSum<T, scale>());
  }
};

// counts[s]: the entries of segment s; the slot gets the place of a number that is none, plus 1.
template <class Id>
PLUMB_GPU_KERNEL CountSegments(Global<const Id> ids, Global<int64_t> counts, Global<int64_t> slot) {
  for (int64_t i = First(); i < ids.size; i += Stride()) {
    const int64_t id = ids[i];
    if (id < 0 || id >= counts.size) {
      AtomicCas(slot[0], int64_t{0}, i + 1);
    } else {
      AtomicAdd(counts[id], int64_t{1});
    }
  }
}

// Each element collects from the segments that its row went to, in the order of the entries. Negative
// zeros add up to −0 (N19).
template <class T, class Id, Scale scale>
PLUMB_GPU_KERNEL CollectLoop(Global<const T> dy, Global<const Id> ids, Global<const int64_t> counts, RowUpdates entries,
                             Global<T> dx, int64_t width) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); i < dx.size; i += Stride()) {
    const int64_t row = i / width, column = i % width, begin = entries.begins[row];
    V sum = entries.counts[row] == 0 ? V(0) : -V(0);
    for (int64_t k = begin; k < begin + entries.counts[row]; ++k) {
      const int64_t id = ids[entries.rows[k]];
      if (id < 0 || id >= counts.size) continue;
      sum += Computed<T>::Load(dy[id * width + column]) / DivisorOf<scale, V>(counts[id]);
    }
    dx[i] = Computed<T>::Store(sum);
  }
}

template <class T, Scale scale>
class SparseSegmentGrad final : public GpuKernel {
 public:
  explicit SparseSegmentGrad(const Node&) {}
  void Run(GpuContext& context) override {
    CheckIndices(context);
    const int64_t rows = GivenRows(context, "output_dim0");
    Tensor dx = context.AllocateOutput(0, WithRows(context.input(0).shape(), rows));
    if (rows == 0) return;
    ForType(context.node(), context.input(2).dtype(), TypeList<int32_t, int64_t>(), [&](auto tag) {
      Collect<typename decltype(tag)::Type>(context, rows, dx);
      return true;
    });
  }

 private:
  template <class Id>
  static void Collect(GpuContext& context, int64_t rows, Tensor& dx) {
    const Tensor grad = context.input(0), indices = context.input(1);
    const int64_t segments = grad.dim(0);
    const auto ids = context.In<Id>(2);
    Tensor counts = context.Scratch(DType::kInt64, Shape({segments}));
    context.Clear(counts);
    const auto count = context.ViewOf<int64_t>(counts);
    const Global<int64_t> slot = context.NewSlot([segments](int64_t number) {
      return Status(Code::kInvalidArgument, Str("segment_ids[", number - 1, "] is not in [0, ", segments, ")"));
    });
    Launch(context.stream(), LoopOver(ids.size), CountSegments<Id>, ids, count, slot);
    const Slices slices = SlicesOf(Shape({rows}), 1);
    const NamedRows entries(context, indices, slices, ids.size, rows, context.NewSlot(OutOfRows(rows)));
    Launch(context.stream(), LoopOver(dx.elements()), CollectLoop<T, Id, scale>, context.In<T>(0), ids, count,
           entries.View(context), context.ViewOf<T>(dx), dx.elements() / rows);
  }
};

template <template <class, Scale> class K, Scale scale>
std::unique_ptr<GpuKernel> MakeScaled(const Node& node) {
  return ForType(node, node.input_types[0], Floats(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<K<typename decltype(tag)::Type, scale>>(node);
  });
}

constexpr GpuKernelRow kRows[] = {
    {"SparseSegmentSum", MakeScaled<SparseSegment, Scale::kNone>},
    {"SparseSegmentMean", MakeScaled<SparseSegment, Scale::kMean>},
    {"SparseSegmentSqrtN", MakeScaled<SparseSegment, Scale::kSqrtN>},
    {"SparseSegmentSumWithNumSegments", MakeScaled<SparseSegment, Scale::kNone>},
    {"SparseSegmentMeanWithNumSegments", MakeScaled<SparseSegment, Scale::kMean>},
    {"SparseSegmentSqrtNWithNumSegments", MakeScaled<SparseSegment, Scale::kSqrtN>},
    {"SparseSegmentSumGrad", MakeScaled<SparseSegmentGrad, Scale::kNone>},
    {"SparseSegmentMeanGrad", MakeScaled<SparseSegmentGrad, Scale::kMean>},
    {"SparseSegmentSqrtNGrad", MakeScaled<SparseSegmentGrad, Scale::kSqrtN>},
};

}  // namespace

std::span<const GpuKernelRow> ReductionSparseSegment() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
