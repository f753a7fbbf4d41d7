#include "reference/ops/ragged/splits.h"

namespace plumb::reference {
namespace {

using Splits = std::vector<int64_t>;

// The splits of the ragged tensor, each pointing into the rows of the next.
std::vector<Splits> Params(const OpContext& c, int ragged_rank) {
  std::vector<Splits> params;
  for (int i = 0; i < ragged_rank; ++i) params.push_back(i == 0 ? ColumnOfSplits(c, i) : SplitsOf(c, i));
  for (int i = 0; i < ragged_rank; ++i) {
    const Splits& splits = params[static_cast<size_t>(i)];
    const int64_t inner =
        i + 1 < ragged_rank ? RowsIn(params[static_cast<size_t>(i) + 1]) : RowsOfValues(c.tensor(ragged_rank));
    Require(splits.front() >= 0 && splits.back() <= inner, "splits must lie within the ", inner,
            " rows inside, and go from ", splits.front(), " to ", splits.back());
  }
  return params;
}

// The splits of the indices' own axes, but the last: rows of equal size.
std::vector<Splits> SplitsOfIndices(const Shape& indices) {
  std::vector<Splits> result;
  int64_t rows = 1;
  for (int axis = 0; axis + 1 < indices.rank(); ++axis) {
    Require(!__builtin_mul_overflow(rows, indices.dim(axis), &rows), "indices of shape ", indices.ToString(),
            " have more rows than can be counted");
    CheckResultSize({rows, 2});
    Splits splits = {0};
    for (int64_t row = 0; row < rows; ++row) splits.push_back(SplitAfter(splits.back(), indices.dim(axis + 1)));
    result.push_back(std::move(splits));
  }
  return result;
}

void RaggedGather(OpContext& c) {
  const auto ragged_rank = static_cast<int>(c.attr<int64_t>("PARAMS_RAGGED_RANK"));
  const std::vector<Splits> params = Params(c, ragged_rank);
  const Value& values = c.input(ragged_rank);
  const Tensor& indices = c.tensor(ragged_rank + 1);
  const int64_t result_rank = c.attr<int64_t>("OUTPUT_RAGGED_RANK");
  Require(result_rank == ragged_rank + indices.rank() - 1, "OUTPUT_RAGGED_RANK must be ",
          ragged_rank + indices.rank() - 1, ", not ", result_rank);
  std::vector<Splits> result = SplitsOfIndices(indices.shape());
  const bool has_index_axis = indices.rank() > 0;
  result.resize(static_cast<size_t>(result_rank), Splits{0});
  const int64_t inner = Subshape(values.tensor.shape(), 1, values.tensor.rank()).elements();
  std::vector<int64_t> rows;  // of the values, that are taken
  for (const int64_t index : ToInt64s(indices)) {
    Require(0 <= index && index < RowsIn(params[0]), "index ", index, " is not one of ", RowsIn(params[0]), " rows");
    int64_t begin = index, end = index + 1;
    for (int axis = 0; axis < ragged_rank; ++axis) {
      const Splits& from = params[static_cast<size_t>(axis)];
      const int to_axis = axis + indices.rank() - 1;
      for (int64_t row = begin; row < end && (axis > 0 || has_index_axis); ++row) {
        Splits& to = result[static_cast<size_t>(to_axis)];
        to.push_back(SplitAfter(to.back(), from[row + 1] - from[row]));
      }
      begin = from[begin];
      end = from[end];
    }
    CheckResultSize({std::ssize(rows) + end - begin});
    for (int64_t row = begin; row < end; ++row) rows.push_back(row);
  }
  std::vector<int64_t> shape = values.tensor.shape().ToVector();
  shape[0] = std::ssize(rows);
  Assembly taken(values.tensor.dtype(), Shape(shape));
  for (int64_t i = 0; i < shape[0] && inner > 0; ++i) taken.Copy(i * inner, values, rows[i] * inner, inner);
  for (int i = 0; i < result_rank; ++i) {
    const Splits& splits = result[static_cast<size_t>(i)];
    Writer<Integer> to(c.output_type(i), {std::ssize(splits)});
    for (int64_t row = 0; row < to.size(); ++row) to.Set(row, splits[row]);
    c.Output(i, to.Take());
  }
  c.Output(static_cast<int>(result_rank), taken.Take());
}

constexpr KernelRow kRows[] = {
    {"RaggedGather", RaggedGather},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RaggedGather() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
