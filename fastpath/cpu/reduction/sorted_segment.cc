// SegmentSum and its kin: the rows of each segment are folded as columns of a matrix.
#include <cstring>
#include <type_traits>
#include <utility>

#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/reduction/reduce.h"
#include "fastpath/cpu/lib/reduction/refolded_nan.h"
#include "fastpath/cpu/lib/row_loops.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/reduction/segment_runs.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// One row: sums lose the sign of zero (N19); a mean is divided by the number of rows in its own type.
template <class T>
void Finish(T* row, int64_t width, int64_t rows, bool is_mean) {
  if constexpr (std::is_floating_point_v<T>) {
    DivideRow(is_mean ? static_cast<T>(rows) : T(1), width, row);
  } else {
    for (int64_t i = 0; i < width; ++i) {
      row[i] = static_cast<T>(row[i] + T(0));
      if (!is_mean) continue;
      if constexpr (std::is_unsigned_v<T>) {
        row[i] = static_cast<T>(row[i] / static_cast<uint64_t>(rows));
      } else if constexpr (std::is_integral_v<T>) {
        row[i] = static_cast<T>(row[i] / rows);
      } else {
        row[i] /= static_cast<typename T::value_type>(rows);
      }
    }
  }
}

class SortedSegment final : public Kernel {
 public:
  SortedSegment(const Node& node, Fold fold, bool is_mean)
      : type_(InputType(node, 0)), fold_(fold), is_mean_(is_mean), reduction_(FindReduction(fold, type_)) {}

  void Run(KernelContext& context) override {
    const Tensor &data = context.input(0), &ids = context.input(1);
    Require(data.rank() >= 1 && ids.rank() == 1 && ids.dim(0) == data.dim(0), "segment_ids of shape ",
            ids.shape().ToString(), " do not number the rows of data of shape ", data.shape().ToString());
    const SegmentRuns segments(ids);
    const Shape shape = WithRows(data, segments.segments);
    const DType type = ComputeType(type_);
    Tensor result = Allocate(type, shape);
    if (std::cmp_less(segments.runs.size(), segments.segments)) FillEmpty(context.pool(), result);
    if (shape.elements() > 0 && !segments.runs.empty()) {
      FoldRuns(context.pool(), segments, AsFloat(context.pool(), data), result);
    }
    context.SetOutput(0, RoundedTo(context.pool(), type_, std::move(result)));
  }

 private:
  // A segment without rows has zeros; a product, ones.
  void FillEmpty(ThreadPool& pool, Tensor& result) const {
    if (fold_ != Fold::kProduct) return FillZero(pool, result);
    FillWith(pool, reduction_.identity, result);
  }

  void FoldRuns(ThreadPool& pool, const SegmentRuns& segments, const Tensor& data, Tensor& result) const {
    const DType type = data.dtype();
    const int64_t width = data.elements() / data.dim(0);
    const auto runs = static_cast<int64_t>(segments.runs.size());
    pool.ParallelFor(runs, GrainFor(2 * data.elements() / runs), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const SegmentRun& run = segments.runs[static_cast<size_t>(i)];
        void* const to = At(result.mutable_raw(), type, run.segment * width);
        const int64_t rows = run.end - run.begin;
        const void* const from = At(data.raw(), type, run.begin * width);
        if (rows == 1) {
          std::memcpy(to, from, static_cast<size_t>(width) * ElementSize(type));
          continue;
        }
        reduction_.columns(from, rows, width, width, to);
        if (fold_ == Fold::kSum) FinishRow(type, to, width, rows);
        RefoldNaN(fold_, type, from, rows, width, to);
      }
    });
  }

  void FinishRow(DType type, void* row, int64_t width, int64_t rows) const {
    using Finished = decltype(IntegerTypes() + ComplexTypes() + Types<float, double>());
    VisitOneOf(Finished(), type, false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      Finish(static_cast<T*>(row), width, rows, is_mean_);
      return true;
    });
  }

  const DType type_;
  const Fold fold_;
  const bool is_mean_;
  const Reduction reduction_;
};

template <Fold fold, bool is_mean = false>
std::unique_ptr<Kernel> MakeSegment(const Node& node) {
  return std::make_unique<SortedSegment>(node, fold, is_mean);
}

constexpr KernelRow kRows[] = {
    {"SegmentSum", MakeSegment<Fold::kSum>},      {"SegmentMean", MakeSegment<Fold::kSum, true>},
    {"SegmentProd", MakeSegment<Fold::kProduct>}, {"SegmentMax", MakeSegment<Fold::kMax>},
    {"SegmentMin", MakeSegment<Fold::kMin>},
};

}  // namespace

std::span<const KernelRow> ReductionSortedSegment() { return kRows; }

}  // namespace plumb::fast::cpu
