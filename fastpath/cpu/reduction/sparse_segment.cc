// SparseSegmentSum and its kin: rows that indices name, added up by segment, and their gradients.
#include <algorithm>
#include <cmath>
#include <utility>

#include "fastpath/cpu/lib/elementwise/add_loops.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/row_loops.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/reduction/segment_runs.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

enum class Scale { kNone, kMean, kSqrtN };

double DivisorOf(Scale scale, int64_t rows) {
  const auto n = static_cast<double>(rows);
  return scale == Scale::kNone ? 1 : scale == Scale::kMean ? n : std::sqrt(n);
}

void CheckIndices(const KernelContext& context) {
  const Tensor &indices = context.input(1), &ids = context.input(2);
  Require(context.input(0).rank() >= 1, "data must have at least one dimension");
  Require(indices.rank() == 1 && ids.rank() == 1 && indices.dim(0) == ids.dim(0), "indices of shape ",
          indices.shape().ToString(), " and segment_ids of shape ", ids.shape().ToString(),
          " must be vectors of one length");
}

// Calls f(typed pointer, rows) on float or double elements.
template <class F>
void VisitFloat(DType type, void* row, const F& f) {
  if (type == DType::kFloat) f(static_cast<float*>(row));
  if (type == DType::kDouble) f(static_cast<double*>(row));
}

class SparseSegment final : public Kernel {
 public:
  SparseSegment(const Node& node, Scale scale)
      : type_(InputType(node, 0)), scale_(scale), add_(AddLoop(ComputeType(type_))) {}

  void Run(KernelContext& context) override {
    const Tensor& data = context.input(0);
    CheckIndices(context);
    const bool is_given = context.num_inputs() == 4;
    Require(!is_given || context.input(3).rank() == 0, "num_segments must be a scalar");
    const int64_t given = is_given ? IntAt(context.input(3), 0) : -1;
    Require(!is_given || given >= 0, "num_segments is ", given, ", but must not be negative");
    const SegmentRuns segments(context.input(2), given);
    CheckRows(context.input(1), data.dim(0));
    const Shape shape = WithRows(data, segments.segments);
    Tensor result = Allocate(ComputeType(type_), shape);
    if (std::cmp_less(segments.runs.size(), segments.segments)) FillZero(context.pool(), result);
    if (shape.elements() > 0 && !segments.runs.empty()) {
      AddRuns(context.pool(), segments, context.input(1), AsFloat(context.pool(), data), result);
    }
    context.SetOutput(0, RoundedTo(context.pool(), type_, std::move(result)));
  }

 private:
  static void CheckRows(const Tensor& indices, int64_t rows) {
    for (int64_t i = 0; i < indices.elements(); ++i) {
      Require(IntAt(indices, i) >= 0 && IntAt(indices, i) < rows, "indices[", i, "] is ", IntAt(indices, i),
              ", which is not in [0, ", rows, ")");
    }
  }

  void AddRuns(ThreadPool& pool, const SegmentRuns& segments, const Tensor& indices, const Tensor& data,
               Tensor& result) const {
    const DType type = data.dtype();
    const int64_t width = data.elements() / data.dim(0);
    const auto runs = static_cast<int64_t>(segments.runs.size());
    pool.ParallelFor(runs, GrainFor(2 * width * indices.elements() / runs), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const SegmentRun& run = segments.runs[static_cast<size_t>(i)];
        void* const sum = At(result.mutable_raw(), type, run.segment * width);
        CopyRun(type, data.raw(), IntAt(indices, run.begin) * width, sum, 0, width);
        for (int64_t row = run.begin + 1; row < run.end; ++row) {
          add_(sum, At(data.raw(), type, IntAt(indices, row) * width), sum, width, Operands::kBoth);
        }
        if (run.end - run.begin > 1) Finish(type, sum, width, run.end - run.begin);
      }
    });
  }

  // Sums lose the sign of zero (N19).
  void Finish(DType type, void* row, int64_t width, int64_t rows) const {
    VisitFloat(type, row, [&](auto* x) {
      using T = std::remove_pointer_t<decltype(x)>;
      const auto divisor = static_cast<T>(DivisorOf(scale_, rows));
      for (int64_t i = 0; i < width; ++i) x[i] = (x[i] + T(0)) / divisor;
    });
  }

  const DType type_;
  const Scale scale_;
  const BinaryLoop add_;
};

class SparseSegmentGrad final : public Kernel {
 public:
  SparseSegmentGrad(const Node& node, Scale scale) : type_(InputType(node, 0)), scale_(scale) {}

  void Run(KernelContext& context) override {
    const Tensor& grad = context.input(0);
    CheckIndices(context);
    Require(context.input(3).rank() == 0, "output_dim0 must be a scalar");
    const int64_t rows = IntAt(context.input(3), 0);
    Require(rows >= 0, "output_dim0 is ", rows, ", but must not be negative");
    const Shape shape = WithRows(grad, rows);
    Tensor result = AllocateZeros(context.pool(), ComputeType(type_), shape);
    if (rows > 0) {
      const std::vector<double> divisors = Divisors(context, rows);
      const Tensor from = AsFloat(context.pool(), grad);
      VisitFloat(result.dtype(), result.mutable_raw(), [&](auto* to) {
        using T = std::remove_pointer_t<decltype(to)>;
        AddRows(context, divisors, from.data<T>().data(), shape.elements() / rows, to);
      });
    }
    context.SetOutput(0, RoundedTo(context.pool(), type_, std::move(result)));
  }

 private:
  // What the rows of each segment are divided by; nothing where rows have no elements. Checks all indices.
  std::vector<double> Divisors(const KernelContext& context, int64_t rows) const {
    const Tensor &grad = context.input(0), &indices = context.input(1), &ids = context.input(2);
    const int64_t segments = grad.dim(0);
    std::vector<int64_t> counts(static_cast<size_t>(grad.elements() == 0 ? 0 : segments), 0);
    for (int64_t i = 0; i < ids.elements(); ++i) {
      const int64_t id = IntAt(ids, i), row = IntAt(indices, i);
      Require(id >= 0 && id < segments, "segment_ids[", i, "] is ", id, ", which is not in [0, ", segments, ")");
      Require(row >= 0 && row < rows, "indices[", i, "] is ", row, ", which is not in [0, ", rows, ")");
      if (!counts.empty()) ++counts[static_cast<size_t>(id)];
    }
    std::vector<double> divisors;
    divisors.reserve(counts.size());
    for (const int64_t count : counts) divisors.push_back(DivisorOf(scale_, count));
    return divisors;
  }

  // Whether an entry is the first one of its row.
  static std::vector<bool> Begins(const KernelContext& context) {
    const Tensor& indices = context.input(1);
    const auto rows = static_cast<size_t>(IntAt(context.input(3), 0));
    std::vector<bool> is_named(rows), begins(static_cast<size_t>(indices.elements()));
    for (int64_t i = 0; i < indices.elements(); ++i) {
      const auto row = static_cast<size_t>(IntAt(indices, i));
      begins[static_cast<size_t>(i)] = !is_named[row];
      is_named[row] = true;
    }
    return begins;
  }

  // A row is its first entry, to which the others are added: negative zeros add up to −0 (N19).
  template <class T>
  static void AddRows(KernelContext& context, const std::vector<double>& divisors, const T* grad, int64_t width,
                      T* to) {
    const Tensor &indices = context.input(1), &ids = context.input(2);
    const std::vector<bool> begins = Begins(context);
    context.pool().ParallelFor(width, GrainFor(2 * ids.elements()), [&](int64_t begin, int64_t end) {
      for (int64_t i = 0; i < ids.elements(); ++i) {
        const int64_t id = IntAt(ids, i);
        const auto divisor = static_cast<T>(divisors[static_cast<size_t>(id)]);
        const T* const from = grad + id * width;
        T* const row = to + IntAt(indices, i) * width;
        if (begins[static_cast<size_t>(i)]) {
          PutQuotients(from + begin, divisor, end - begin, row + begin);
        } else {
          AddQuotients(from + begin, divisor, end - begin, row + begin);
        }
      }
    });
  }

  const DType type_;
  const Scale scale_;
};

constexpr KernelRow kRows[] = {
    {"SparseSegmentSum", MakeWith<SparseSegment, Scale::kNone>},
    {"SparseSegmentMean", MakeWith<SparseSegment, Scale::kMean>},
    {"SparseSegmentSqrtN", MakeWith<SparseSegment, Scale::kSqrtN>},
    {"SparseSegmentSumWithNumSegments", MakeWith<SparseSegment, Scale::kNone>},
    {"SparseSegmentMeanWithNumSegments", MakeWith<SparseSegment, Scale::kMean>},
    {"SparseSegmentSqrtNWithNumSegments", MakeWith<SparseSegment, Scale::kSqrtN>},
    {"SparseSegmentSumGrad", MakeWith<SparseSegmentGrad, Scale::kNone>},
    {"SparseSegmentMeanGrad", MakeWith<SparseSegmentGrad, Scale::kMean>},
    {"SparseSegmentSqrtNGrad", MakeWith<SparseSegmentGrad, Scale::kSqrtN>},
};

}  // namespace

std::span<const KernelRow> ReductionSparseSegment() { return kRows; }

}  // namespace plumb::fast::cpu
