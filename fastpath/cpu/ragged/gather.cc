// RaggedGather: the new splits, and runs of values that lie together, moved as one.
#include "fastpath/cpu/lib/row_splits.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/cpu/ragged/splits.h"

namespace plumb::fast::cpu {
namespace {

using Splits = std::vector<int64_t>;

class RaggedGatherKernel final : public Kernel {
 public:
  explicit RaggedGatherKernel(const Node& node)
      : ragged_rank_(static_cast<int>(GetAttr<int64_t>(node.attrs, "PARAMS_RAGGED_RANK"))),
        result_rank_(GetAttr<int64_t>(node.attrs, "OUTPUT_RAGGED_RANK")) {}

  void Run(KernelContext& context) override {
    const Tensor &values = context.input(ragged_rank_), &indices = context.input(ragged_rank_ + 1);
    const std::vector<Splits> params = Params(context, RowsOfValues(values));
    Require(result_rank_ == ragged_rank_ + indices.rank() - 1, "OUTPUT_RAGGED_RANK must be ",
            ragged_rank_ + indices.rank() - 1, ", not ", result_rank_);
    std::vector<Splits> result = SplitsOfIndices(indices.shape());
    result.resize(static_cast<size_t>(result_rank_), Splits{0});
    std::vector<ValueRun> runs;
    int64_t taken = 0;
    for (int64_t i = 0; i < indices.elements(); ++i) {
      const ValueRun run = Follow(params, IntAt(indices, i), indices.rank() - 1, result);
      if (run.end == run.begin) continue;
      Require(!__builtin_add_overflow(taken, run.end - run.begin, &taken), "the result is too large");
      if (!runs.empty() && runs.back().end == run.begin) {
        runs.back().end = run.end;
      } else {
        runs.push_back(run);
      }
    }
    WriteValues(context, values, runs, taken);
    for (size_t i = 0; i < result.size(); ++i) WriteSplits(context, static_cast<int>(i), result[i]);
  }

 private:
  struct ValueRun {
    int64_t begin, end;  // rows of the values
  };

  std::vector<Splits> Params(const KernelContext& context, int64_t rows) const {
    std::vector<Splits> params;
    for (int i = 0; i < ragged_rank_; ++i) {
      params.push_back(i == 0 ? ColumnOfSplits(context.input(i)) : SplitsOf(context.input(i)));
    }
    for (size_t i = 0; i < params.size(); ++i) {
      const int64_t inner = i + 1 < params.size() ? RowsIn(params[i + 1]) : rows;
      Require(params[i].front() >= 0 && params[i].back() <= inner, "splits go from ", params[i].front(), " to ",
              params[i].back(), ", but there are ", inner, " rows inside");
    }
    return params;
  }

  static std::vector<Splits> SplitsOfIndices(const Shape& indices) {
    std::vector<Splits> result;
    int64_t rows = 1;
    for (int axis = 0; axis + 1 < indices.rank(); ++axis) {
      Require(!__builtin_mul_overflow(rows, indices[axis], &rows), "indices of shape ", Printed(indices),
              " have more rows than can be counted");
      const Tensor checked = Allocate(DType::kInt64, Shape({rows + 1}));  // refuses what no memory holds
      Splits splits(static_cast<size_t>(checked.elements()));
      for (size_t row = 1; row < splits.size(); ++row) splits[row] = SplitAfter(splits[row - 1], indices[axis + 1]);
      result.push_back(std::move(splits));
    }
    return result;
  }

  // The values of one row of params; the sizes of all rows inside of it join `result`, from axis `first` on.
  ValueRun Follow(const std::vector<Splits>& params, int64_t index, int first, std::vector<Splits>& result) const {
    Require(index >= 0 && index < RowsIn(params[0]), "index ", index, " is not one of ", RowsIn(params[0]), " rows");
    ValueRun run{index, index + 1};
    for (size_t axis = 0; axis < params.size(); ++axis) {
      const Splits& from = params[axis];
      const int64_t to_axis = static_cast<int64_t>(axis) + first;
      if (to_axis >= 0) {
        Splits& to = result[static_cast<size_t>(to_axis)];
        const int64_t before = to.back(), begin = from[static_cast<size_t>(run.begin)];
        for (int64_t row = run.begin; row < run.end; ++row) {
          to.push_back(SplitAfter(before, from[static_cast<size_t>(row) + 1] - begin));
        }
      }
      run = {from[static_cast<size_t>(run.begin)], from[static_cast<size_t>(run.end)]};
    }
    return run;
  }

  void WriteValues(KernelContext& context, const Tensor& values, const std::vector<ValueRun>& runs,
                   int64_t taken) const {
    Dims dims(values.shape());
    dims[0] = taken;
    Tensor& output = context.AllocateOutput(static_cast<int>(result_rank_), values.dtype(), dims.ToShape());
    if (output.elements() == 0) return;
    const int64_t inner = RowElements(values);
    int64_t to = 0;
    for (const ValueRun& run : runs) {
      CopyRun(values.dtype(), values.raw(), run.begin * inner, output.mutable_raw(), to, (run.end - run.begin) * inner);
      to += (run.end - run.begin) * inner;
    }
  }

  static void WriteSplits(KernelContext& context, int output, const Splits& splits) {
    const DType type = context.input(0).dtype();
    Tensor& to = context.AllocateOutput(output, type, Shape({static_cast<int64_t>(splits.size())}));
    SetSplits(to, splits);
  }

  const int ragged_rank_;
  const int64_t result_rank_;
};

constexpr KernelRow kRows[] = {
    {"RaggedGather", Make<RaggedGatherKernel>},
};

}  // namespace

std::span<const KernelRow> RaggedGather() { return kRows; }

}  // namespace plumb::fast::cpu
