// Bincount and DenseBincount: how often numbers occur, or the sums of their weights.
#include <algorithm>
#include <atomic>
#include <type_traits>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"
#include "fastpath/formulas/reduction/bin_counts.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::cpu {
namespace {

constinit ChoicePoint pieces("bins of a row: counted at once, or in pieces");

// Numbers of one piece of a long row; every piece has bins of its own, which are added up in their order.
constexpr int64_t kPiece = int64_t{1} << 15;

// Whole numbers wrap around.
template <class T>
void AddTo(T& sum, T more) {
  if constexpr (std::is_integral_v<T>) {
    sum = static_cast<T>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(more));
  } else {
    sum += more;
  }
}

// Rows of numbers, and of weights or null.
template <class T, class Index>
struct Rows {
  const Index* numbers;
  const T* weights;
  int64_t rows, width, size;
  bool binary;
};

// Calls count(bin, i) for numbers that have a bin; whether none is negative.
template <class T, class Index, class Count>
bool ForBins(const Rows<T, Index>& rows, int64_t first, int64_t end, T* bins, const Count& count) {
  Index signs = 0;
  for (int64_t i = first; i < end; ++i) {
    const Index number = rows.numbers[i];
    signs |= number;
    if (static_cast<uint64_t>(number) < static_cast<uint64_t>(rows.size)) count(bins[number], i);
  }
  return signs >= 0;
}

template <class T, class Index>
bool CountRun(const Rows<T, Index>& rows, int64_t first, int64_t count, T* bins) {
  const int64_t end = first + count;
  if (rows.binary) return ForBins(rows, first, end, bins, [](T& bin, int64_t) { bin = T(1); });
  if (rows.weights == nullptr) return ForBins(rows, first, end, bins, [](T& bin, int64_t) { AddTo(bin, T(1)); });
  return ForBins(rows, first, end, bins, [w = rows.weights](T& bin, int64_t i) { AddTo(bin, w[i]); });
}

template <class T, class Index>
void RefuseNegative(const Rows<T, Index>& rows) {
  for (int64_t i = 0; i < rows.rows * rows.width; ++i) {
    Require(rows.numbers[i] >= 0, "element ", i, " must not be negative: ", rows.numbers[i]);
  }
}

// `bins` are zero. A long row is cut into pieces.
template <class T, class Index>
void CountAll(ThreadPool& pool, const Rows<T, Index>& rows, T* bins) {
  const int64_t numbers = rows.rows * rows.width;
  const bool in_pieces =
      pieces.Chosen(rows.rows == 1 && !rows.binary && rows.width >= 2 * kPiece && rows.size <= kPiece / 4);
  const int64_t width = in_pieces ? kPiece : rows.width, count = in_pieces ? (numbers + width - 1) / width : rows.rows;
  std::vector<T> part(static_cast<size_t>(in_pieces ? count * rows.size : 0), T(0));
  T* const counted = in_pieces ? part.data() : bins;
  std::atomic<bool> is_negative = false;
  pool.ParallelFor(count, in_pieces ? 1 : GrainFor(3 * width), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i * width;
      if (!CountRun(rows, first, std::min(width, numbers - first), counted + i * rows.size)) is_negative = true;
    }
  });
  if (is_negative) RefuseNegative(rows);
  for (int64_t i = 0; i < static_cast<int64_t>(part.size()); ++i) AddTo(bins[i % rows.size], part[i]);
}

class Bincount final : public Kernel {
 public:
  Bincount(const Node& node, bool is_dense)
      : is_dense_(is_dense), binary_(GetAttrOr(node.attrs, "binary_output", false)), type_(OutputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const Tensor &numbers = context.input(0), &weights = context.input(2);
    const BinCounts bins = BinCountsOf(numbers.shape(), context.input(1), weights.shape(), is_dense_);
    Tensor& output = context.AllocateOutput(0, type_, bins.shape);
    FillZero(context.pool(), output);
    if (numbers.elements() == 0) return;
    VisitOneOf(Types<int32_t, int64_t, float, double>(), type_, false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const weight = weights.elements() == 0 ? nullptr : static_cast<const T*>(weights.raw());
      VisitOneOf(IndexTypes(), numbers.dtype(), false, [&](auto index) {
        using Index = typename decltype(index)::Type;
        const Rows<T, Index> all{static_cast<const Index*>(numbers.raw()), weight,    bins.rows,
                                 numbers.elements() / bins.rows,           bins.size, binary_};
        CountAll(context.pool(), all, static_cast<T*>(output.mutable_raw()));
        return true;
      });
      return true;
    });
  }

 private:
  const bool is_dense_, binary_;
  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"Bincount", MakeWith<Bincount, false>},
    {"DenseBincount", MakeWith<Bincount, true>},
};

}  // namespace

std::span<const KernelRow> ReductionBincount() { return kRows; }

}  // namespace plumb::fast::cpu
