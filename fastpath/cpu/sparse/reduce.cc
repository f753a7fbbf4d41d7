// Sums and largest elements along axes, dense and sparse: elements put in the order of their kept coordinates, and runs
// of them folded.
#include "fastpath/cpu/lib/reduction/reduce.h"

#include <type_traits>

#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/reduction/refolded_nan.h"
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

enum class Form { kDense, kSparse };

class SparseReduce final : public Kernel {
 public:
  SparseReduce(const Node& node, Fold fold, Form form)
      : type_(InputType(node, 1)),
        keep_(GetAttr<bool>(node.attrs, "keep_dims")),
        fold_(fold),
        form_(form),
        reduction_(FindReduction(fold, type_)) {}

  void Run(KernelContext& context) override {
    const SparseView view = SparseInput(context, 0);
    const Shape checked = view.dims.ToShape();
    const Tensor& axes = context.input(3);
    Require(axes.rank() <= 1, "reduction_axes must be a scalar or a vector, not of shape ", axes.shape().ToString());
    std::vector<bool> reduced(static_cast<size_t>(checked.rank()), false);
    for (int64_t i = 0; i < axes.elements(); ++i) {
      reduced[static_cast<size_t>(NormalizeAxis(IntAt(axes, i), checked.rank(), "reduction_axes"))] = true;
    }
    Dims dims;
    for (int axis = 0; axis < checked.rank(); ++axis) {
      const bool is_reduced = reduced[static_cast<size_t>(axis)];
      if (!is_reduced || keep_) dims.Append(is_reduced ? 1 : checked[axis]);
    }
    Put(context, dims, KeptRows(view.rows, reduced, dims.rank));
  }

 private:
  // The coordinates of all elements in the result.
  std::vector<int64_t> KeptRows(const IndexRows& rows, const std::vector<bool>& reduced, int rank) const {
    std::vector<int64_t> kept;
    kept.reserve(static_cast<size_t>(rows.count * rank));
    for (int64_t i = 0; i < rows.count; ++i) {
      for (int axis = 0; axis < rows.rank; ++axis) {
        const bool is_reduced = reduced[static_cast<size_t>(axis)];
        if (!is_reduced || keep_) kept.push_back(is_reduced ? 0 : rows[i][axis]);
      }
    }
    return kept;
  }

  void Put(KernelContext& context, const Dims& dims, const std::vector<int64_t>& kept) const {
    const Shape shape = dims.ToShape();
    const Tensor values = AsFloat(context.pool(), context.input(1));
    const IndexRows rows{values.elements(), dims.rank, kept.data()};
    const std::vector<int64_t> order = RowMajorOrder(rows);
    Tensor ordered = Allocate(values.dtype(), values.shape());
    GatherElements(values, order, ordered);
    std::vector<int64_t> begins;  // of the runs
    for (int64_t i = 0; i < rows.count; ++i) {
      if (i == 0 || IsBefore(RowAt(rows, order, i - 1), RowAt(rows, order, i), rows.rank)) begins.push_back(i);
    }
    const auto runs = static_cast<int64_t>(begins.size());
    Tensor folds = AllocateZeros(context.pool(), values.dtype(), form_ == Form::kSparse ? Shape({runs}) : shape);
    int64_t* at = form_ == Form::kSparse ? AllocateRows(context, 0, runs, dims.rank) : nullptr;
    for (int64_t run = 0; run < runs; ++run) {
      const int64_t begin = begins[static_cast<size_t>(run)];
      const int64_t end = run + 1 < runs ? begins[static_cast<size_t>(run) + 1] : rows.count;
      const int64_t* const row = RowAt(rows, order, begin);
      const int64_t to = at == nullptr ? PlaceIn(dims, row) : run;
      if (to < 0 || to >= folds.elements()) {
        throw Internal("elements lie at place ", to, ", outside of the result of shape ", folds.shape().ToString());
      }
      const void* const from = At(ordered.raw(), ordered.dtype(), begin);
      void* const fold = At(folds.mutable_raw(), folds.dtype(), to);
      reduction_.run(from, end - begin, fold);
      RefoldNaN(fold_, ordered.dtype(), from, end - begin, 1, fold);
      if (at != nullptr) at = std::copy(row, row + dims.rank, at);
    }
    if (form_ == Form::kSparse) SetDims(context, 2, dims);
    const int output = form_ == Form::kSparse ? 1 : 0;
    context.SetOutput(output, RoundedTo(context.pool(), type_, std::move(folds)));
  }
  static const int64_t* RowAt(const IndexRows& rows, const std::vector<int64_t>& order, int64_t i) {
    return rows[order[static_cast<size_t>(i)]];
  }

  const DType type_;
  const bool keep_;
  const Fold fold_;
  const Form form_;
  const Reduction reduction_;
};

template <Fold fold, Form form>
std::unique_ptr<Kernel> MakeReduce(const Node& node) {
  return std::make_unique<SparseReduce>(node, fold, form);
}

constexpr KernelRow kRows[] = {
    {"SparseReduceSum", MakeReduce<Fold::kSum, Form::kDense>},
    {"SparseReduceSumSparse", MakeReduce<Fold::kSum, Form::kSparse>},
    {"SparseReduceMax", MakeReduce<Fold::kMax, Form::kDense>},
    {"SparseReduceMaxSparse", MakeReduce<Fold::kMax, Form::kSparse>},
};

}  // namespace

std::span<const KernelRow> SparseReduce() { return kRows; }

}  // namespace plumb::fast::cpu
