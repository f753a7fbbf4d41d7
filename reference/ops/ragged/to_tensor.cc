#include <algorithm>
#include <string>

#include "reference/ops/ragged/splits.h"

namespace plumb::reference {
namespace {

constexpr int64_t kNowhere = -1;

// The row partitions of a node, of which the first may only say how many rows there are.
struct Partitions {
  std::vector<std::string> kinds;  // of the ragged axes
  int first_input = 3;             // that partitions an axis
  bool sized = false;

  explicit Partitions(const Node& node) : kinds(GetAttr<std::vector<std::string>>(node.attrs, "row_partition_types")) {
    Require(std::ssize(kinds) == GetAttr<int64_t>(node.attrs, "num_row_partition_tensors") && !kinds.empty(),
            "row_partition_types must have an entry for each partition, not ", kinds.size());
    for (size_t i = 0; i < kinds.size(); ++i) {
      const bool known = kinds[i] == "ROW_SPLITS" || kinds[i] == (i == 0 ? "FIRST_DIM_SIZE" : "VALUE_ROWIDS");
      Require(known, "partition ", i, " cannot be ", kinds[i]);
    }
    sized = kinds[0] == "FIRST_DIM_SIZE";
    if (!sized) return;
    Require(kinds.size() > 1 && kinds[1] == "VALUE_ROWIDS", "VALUE_ROWIDS must follow FIRST_DIM_SIZE");
    kinds.erase(kinds.begin());
    first_input = 4;
  }
  int rank() const { return static_cast<int>(kinds.size()); }
  bool HasSplits(int axis) const { return kinds[static_cast<size_t>(axis)] == "ROW_SPLITS"; }
  std::vector<int64_t> At(const OpContext& c, int axis) const {
    const Tensor& tensor = c.tensor(first_input + axis);
    return ToInt64s(tensor);  // in whatever shape
  }
  int64_t RowCount(const OpContext& c) const {
    const Tensor& first = c.tensor(3);
    if (sized) return ScalarOf(first, "FIRST_DIM_SIZE");
    Require(first.rank() >= 1 && first.elements() > 0 && first.dim(0) == first.elements(),
            "splits must be a vector or one column, and not be empty");
    return first.elements() - 1;
  }
  // The most values in one row of the axis.
  int64_t Longest(const OpContext& c, int axis) const {
    const std::vector<int64_t> partition = At(c, axis);
    int64_t longest = 0, run = 0;
    for (size_t i = 1; HasSplits(axis) && i < partition.size(); ++i) {
      longest = std::max(longest, static_cast<int64_t>(Integer::Wide(partition[i]) - partition[i - 1]));
    }
    for (size_t i = 0; !HasSplits(axis) && i < partition.size(); ++i) {
      run = i > 0 && partition[i] == partition[i - 1] ? run + 1 : 1;
      longest = std::max(longest, run);
    }
    return longest;
  }
};

// The shape asked for, -1 where it is open; the dimensions of a row of values are known.
std::vector<int64_t> WantedShape(const OpContext& c, int ragged_rank) {
  const Tensor& wanted = c.tensor(0);
  const Shape& values = c.tensor(1).shape();
  const auto rank = static_cast<size_t>(ragged_rank + values.rank());
  std::vector<int64_t> shape(rank, -1);
  if (wanted.rank() == 0) {
    Require(ToInt64s(wanted)[0] == -1, "a scalar shape must be -1, not ", ToInt64s(wanted)[0]);
  } else {
    shape = IntegersOf(wanted, "shape");
    Require(shape.size() == rank, "the shape must have ", rank, " dimensions, not ", shape.size());
  }
  for (int axis = 1; axis < values.rank(); ++axis) {
    int64_t& dim = shape[static_cast<size_t>(ragged_rank + axis)];
    Require(dim == -1 || dim == values.dim(axis), "the shape asks for rows of another shape than the values have");
    dim = values.dim(axis);
  }
  for (const int64_t dim : shape) Require(dim >= -1, "a dimension of the shape is ", dim);
  return shape;
}

// For each element of a row, which element of the default fills it: as many as a row has are taken in their order,
// others are broadcast.
std::vector<int64_t> FillerPositions(const Shape& filler, const Shape& row) {
  for (int i = 0; i < filler.rank(); ++i) {
    Require(i < row.rank() && (filler.dim(i) == 1 || filler.dim(i) == row.dim(i)), "default_value of shape ",
            filler.ToString(), " does not fit rows of shape ", row.ToString());
  }
  if (filler.elements() == row.elements()) return Positions(filler, Strides(filler));
  const std::vector<int64_t> own = Strides(filler);
  std::vector<int64_t> strides(static_cast<size_t>(row.rank()), 0);
  for (int i = 1; i <= filler.rank() && filler.elements() != 1; ++i) {
    const int64_t dim = filler.dim(filler.rank() - i);
    Require(dim == 1 || dim == row.dim(row.rank() - i), "default_value of shape ", filler.ToString(),
            " cannot be broadcast to ", row.ToString());
    if (dim != 1) strides[static_cast<size_t>(row.rank() - i)] = own[static_cast<size_t>(filler.rank() - i)];
  }
  return Positions(row, strides);
}

// Where the rows of an axis go, in rows of the result. Places that nobody asks for are left out.
struct Rows {
  std::vector<int64_t> places;
  int64_t count = 0;
  int64_t At(int64_t row) const { return row < std::ssize(places) ? places[static_cast<size_t>(row)] : kNowhere; }
};

// The rows inside of `outer`, which lie `step` apart, `width` of them at most; the first `asked` are asked for.
Rows Inside(const Rows& outer, const std::vector<int64_t>& splits, int64_t step, int64_t width, int64_t asked) {
  Require(!splits.empty() && splits[0] == 0 && std::is_sorted(splits.begin(), splits.end()),
          "splits must begin with 0 and not decrease");
  Require(RowsIn(splits) <= outer.count, "there are splits for ", RowsIn(splits), " rows, but only ", outer.count,
          " rows");
  CheckResultSize({std::min(splits.back(), asked)});
  Rows inner{{}, splits.back()};
  for (int64_t row = 0; row < RowsIn(splits); ++row) {
    for (int64_t i = splits[row]; i < std::min(splits[row + 1], asked); ++i) {
      const int64_t column = i - splits[row], place = outer.At(row);
      inner.places.push_back(place == kNowhere || column >= width ? kNowhere : place + column * step);
    }
  }
  return inner;
}
// The same where the outer row of each is given.
Rows InsideByRows(const Rows& outer, const std::vector<int64_t>& row_of, int64_t step, int64_t width) {
  Rows inner{{}, std::ssize(row_of)};
  int64_t column = 0;
  for (size_t i = 0; i < row_of.size(); ++i) {
    Require(0 <= row_of[i] && row_of[i] < outer.count && (i == 0 || row_of[i] >= row_of[i - 1]),
            "the rows of values must not decrease and be among ", outer.count, " rows; value ", i, " is in row ",
            row_of[i]);
    column = i > 0 && row_of[i] == row_of[i - 1] ? column + 1 : 0;
    const int64_t place = outer.At(row_of[i]);
    inner.places.push_back(place == kNowhere || column >= width ? kNowhere : place + column * step);
  }
  return inner;
}

// How many rows inside of `axis` the next axis, or the values, ask for.
int64_t AskedFor(const OpContext& c, const Partitions& partitions, int axis) {
  if (axis + 1 == partitions.rank()) return c.tensor(1).dim(0);
  const std::vector<int64_t> next = partitions.At(c, axis + 1);
  if (next.empty()) return 0;
  return partitions.HasSplits(axis + 1) ? RowsIn(next) : std::clamp<int64_t>(next.back(), 0, INT64_MAX - 1) + 1;
}

std::vector<int64_t> Places(const OpContext& c, const Partitions& partitions, const Shape& shape, int64_t row_count) {
  int64_t step = 1;
  for (int axis = 1; axis <= partitions.rank(); ++axis) step *= shape.dim(axis);
  Rows rows{{}, row_count};
  for (int64_t row = 0; row < std::min(row_count, shape.dim(0)); ++row) rows.places.push_back(row * step);
  for (int axis = 0; axis < partitions.rank(); ++axis) {
    const int64_t width = shape.dim(axis + 1);
    step /= width;
    const std::vector<int64_t> partition = partitions.At(c, axis);
    rows = partitions.HasSplits(axis) ? Inside(rows, partition, step, width, AskedFor(c, partitions, axis))
                                      : InsideByRows(rows, partition, step, width);
  }
  Require(rows.count <= c.tensor(1).dim(0), "the partitions are of ", rows.count, " values, but there are ",
          c.tensor(1).dim(0));
  return rows.places;
}

void RaggedToTensor(OpContext& c) {
  const Partitions partitions(c.node);
  const Value &values = c.input(1), &filler = c.input(2);
  Require(filler.tensor.rank() < values.tensor.rank(), "default_value must have a lower rank than the values");
  const int64_t row_count = partitions.RowCount(c);
  std::vector<int64_t> dims = WantedShape(c, partitions.rank());
  if (dims[0] < 0) dims[0] = row_count;
  for (int axis = 0; axis < partitions.rank(); ++axis) {
    int64_t& dim = dims[static_cast<size_t>(axis) + 1];
    if (dim < 0) dim = partitions.Longest(c, axis);
  }
  const Shape shape{std::span<const int64_t>(dims)}, row = Subshape(values.tensor.shape(), 1, values.tensor.rank());
  const std::vector<int64_t> filling = FillerPositions(filler.tensor.shape(), row);
  Assembly result(values.tensor.dtype(), shape);
  for (int64_t i = 0; i < shape.elements(); ++i) result.Copy(i, filler, filling[i % row.elements()]);
  int64_t held = 1;  // rows of the result
  for (int axis = 0; axis <= partitions.rank(); ++axis) held *= shape.dim(axis);
  const std::vector<int64_t> places = held == 0 ? std::vector<int64_t>() : Places(c, partitions, shape, row_count);
  for (int64_t i = 0; i < std::ssize(places) && row.elements() > 0; ++i) {
    if (places[i] != kNowhere) result.Copy(places[i] * row.elements(), values, i * row.elements(), row.elements());
  }
  c.Output(0, result.Take());
}

constexpr KernelRow kRows[] = {
    {"RaggedTensorToTensor", RaggedToTensor, [](const Node& node) { Partitions{node}; }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RaggedToTensor() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
