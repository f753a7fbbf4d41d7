// RaggedTensorToTensor: where each value goes, axis by axis; then runs of values, and what fills the gaps between.
#include <algorithm>
#include <string>

#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/cpu/ragged/splits.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kNowhere = -1;
using Places = std::vector<int64_t>;

// Where the rows of an axis go, in rows of the result; places rise with the rows. Those beyond the vector are nowhere,
// or nobody asks for them.
struct Rows {
  Places places;
  int64_t count = 0;
};

// The rows inside of `outer`, which lie `step` apart, `width` of them at most; the first `asked` are asked for.
Rows Inside(const Rows& outer, const std::vector<int64_t>& splits, int64_t step, int64_t width, int64_t asked) {
  Require(!splits.empty() && splits.front() == 0, "splits must begin with 0");
  for (size_t row = 1; row < splits.size(); ++row) {
    Require(splits[row] >= splits[row - 1], "splits must not decrease, as from ", splits[row - 1], " to ", splits[row]);
  }
  const size_t rows = splits.size() - 1;
  Require(static_cast<int64_t>(rows) <= outer.count, "there are splits for ", rows, " rows, but only ", outer.count,
          " rows");
  const int64_t kept = std::min(splits.back(), asked);
  Allocate(DType::kInt64, Shape({kept}));  // refuses what no memory holds
  Rows inner{Places(static_cast<size_t>(kept), kNowhere), splits.back()};
  for (size_t row = 0; row < std::min(rows, outer.places.size()); ++row) {
    const int64_t begin = splits[row],
                  end = std::min({splits[row + 1], asked, width <= INT64_MAX - begin ? begin + width : INT64_MAX});
    int64_t place = outer.places[row];
    if (place == kNowhere) continue;
    for (int64_t i = begin; i < end; ++i, place += step) inner.places[static_cast<size_t>(i)] = place;
  }
  return inner;
}
// The same where the outer row of each is given.
Rows InsideByRows(const Rows& outer, const std::vector<int64_t>& row_of, int64_t step, int64_t width) {
  Rows inner{Places(row_of.size(), kNowhere), static_cast<int64_t>(row_of.size())};
  int64_t column = 0;
  for (size_t i = 0; i < row_of.size(); ++i) {
    const int64_t row = row_of[i];
    Require(row >= 0 && row < outer.count && (i == 0 || row >= row_of[i - 1]),
            "the rows of values must not decrease and be among ", outer.count, " rows; value ", i, " is in row ", row);
    column = i > 0 && row == row_of[i - 1] ? column + 1 : 0;
    if (row >= static_cast<int64_t>(outer.places.size()) || column >= width) continue;
    const int64_t place = outer.places[static_cast<size_t>(row)];
    if (place != kNowhere) inner.places[i] = place + column * step;
  }
  return inner;
}

class RaggedToTensorKernel final : public Kernel {
 public:
  explicit RaggedToTensorKernel(const Node& node) : type_(OutputType(node, 0)) {
    const auto& kinds = GetAttr<std::vector<std::string>>(node.attrs, "row_partition_types");
    const auto count = static_cast<size_t>(GetAttr<int64_t>(node.attrs, "num_row_partition_tensors"));
    Require(kinds.size() == count && count > 0, "row_partition_types has ", kinds.size(), " entries for ", count,
            " partitions");
    sized_ = kinds[0] == "FIRST_DIM_SIZE";
    Require(!sized_ || (count > 1 && kinds[1] == "VALUE_ROWIDS"), "VALUE_ROWIDS must follow FIRST_DIM_SIZE");
    for (size_t i = sized_ ? 1 : 0; i < count; ++i) {
      const bool splits = kinds[i] == "ROW_SPLITS";
      Require(splits || (i > 0 && kinds[i] == "VALUE_ROWIDS"), "partition ", i, " cannot be ", kinds[i]);
      has_splits_.push_back(splits);
    }
  }

  void Run(KernelContext& context) override {
    const Tensor &values = context.input(1), &filler = context.input(2);
    const int64_t count = RowsOfValues(values), row_count = RowCount(context);
    Require(filler.rank() < values.rank(), "default_value must have a lower rank than the values");
    std::vector<std::vector<int64_t>> partitions;
    for (int axis = 0; axis < ragged_rank(); ++axis) partitions.push_back(Partition(context, axis));
    Dims dims = Wanted(context.input(0), values.shape());
    if (dims[0] < 0) dims[0] = row_count;
    for (int axis = 0; axis < ragged_rank(); ++axis) {
      if (dims[axis + 1] < 0) dims[axis + 1] = Longest(partitions[static_cast<size_t>(axis)], HasSplits(axis));
    }
    const Shape row = Shape(values.shape().dims().subspan(1)), shape = dims.ToShape();
    const Tensor row_filler = RowFiller(context.pool(), filler, row);
    Tensor& output = context.AllocateOutput(0, type_, shape);
    if (ElementsIn(shape, 0, ragged_rank() + 1) == 0) return;
    const Places places = PlacesOf(partitions, dims, row_count, count);
    if (shape.elements() > 0) Write(values, row_filler, places, row.elements(), output);
  }

 private:
  int ragged_rank() const { return static_cast<int>(has_splits_.size()); }
  bool HasSplits(int axis) const { return has_splits_[static_cast<size_t>(axis)]; }

  int64_t RowCount(const KernelContext& context) const {
    const Tensor& first = context.input(3);
    const bool fits = sized_ ? first.rank() == 0 : first.rank() >= 1 && first.dim(0) == first.elements();
    Require(fits && first.elements() > 0, "the first partition has the shape ", Printed(first.shape()));
    return sized_ ? IntAt(first, 0) : first.elements() - 1;
  }
  std::vector<int64_t> Partition(const KernelContext& context, int axis) const {
    return ToInt64s(context.input((sized_ ? 4 : 3) + axis));  // whose shape is not looked at
  }
  static int64_t Longest(const std::vector<int64_t>& partition, bool splits) {
    int64_t longest = 0, first = 0;
    for (size_t i = 0; i < partition.size(); ++i) {
      if (splits) {
        // As TensorFlow's, differences beyond 64 bits begin anew.
        int64_t size = 0;
        if (i > 0) static_cast<void>(__builtin_sub_overflow(partition[i], partition[i - 1], &size));
        longest = std::max(longest, size);
      } else {
        if (i > 0 && partition[i] != partition[i - 1]) first = static_cast<int64_t>(i);
        longest = std::max(longest, static_cast<int64_t>(i) - first + 1);
      }
    }
    return longest;
  }

  // The shape asked for, -1 where it is open; the dimensions of a row of values are known.
  Dims Wanted(const Tensor& wanted, const Shape& values) const {
    const int rank = ragged_rank() + values.rank();
    Require(wanted.rank() <= 1, "shape must be a scalar or a vector, not ", Printed(wanted.shape()));
    const bool open = wanted.rank() == 0;
    Require(open ? IntAt(wanted, 0) == -1 : wanted.elements() == rank, "shape must be -1 or have ", rank,
            " dimensions");
    Dims dims;
    for (int axis = 0; axis < rank; ++axis) {
      const int64_t size = open ? -1 : IntAt(wanted, axis),
                    own = axis > ragged_rank() ? values[axis - ragged_rank()] : -1;
      Require(size >= -1 && (size < 0 || own < 0 || size == own), "dimension ", axis, " of shape cannot be ", size);
      dims.Append(size < 0 ? own : size);
    }
    return dims;
  }

  // The default for all elements of a row, or the one element that serves for all.
  Tensor RowFiller(ThreadPool& pool, const Tensor& filler, const Shape& row) const {
    for (int axis = 0; axis < filler.rank(); ++axis) {
      Require(filler.dim(axis) == 1 || filler.dim(axis) == row[axis], "default_value of shape ",
              Printed(filler.shape()), " does not fit rows of shape ", Printed(row));
    }
    if (filler.elements() == 1 || filler.elements() == row.elements()) return filler;
    CopyPlan plan;
    const int before = row.rank() - filler.rank();
    int64_t step = row.elements(), from = filler.elements();
    for (int axis = 0; axis < row.rank() && step > 0; ++axis) {
      const int64_t dim = axis < before ? 1 : filler.dim(axis - before);
      Require(dim == 1 || dim == row[axis], "default_value of shape ", Printed(filler.shape()),
              " cannot be broadcast to ", Printed(row));
      step /= row[axis];
      from /= dim;
      plan.Append(row[axis], dim == 1 ? 0 : from, step);
    }
    Tensor full = Allocate(type_, row);
    if (full.elements() > 0) CopyStrided(pool, type_, plan, filler.raw(), full.mutable_raw());
    return full;
  }

  // How many rows inside of `axis` the next axis, or the values, ask for.
  int64_t AskedFor(const std::vector<std::vector<int64_t>>& partitions, int axis, int64_t values) const {
    if (axis + 1 == ragged_rank()) return values;
    const auto& next = partitions[static_cast<size_t>(axis) + 1];
    if (next.empty()) return 0;
    return HasSplits(axis + 1) ? RowsIn(next) : std::clamp<int64_t>(next.back(), 0, INT64_MAX - 1) + 1;
  }

  Places PlacesOf(const std::vector<std::vector<int64_t>>& partitions, const Dims& dims, int64_t row_count,
                  int64_t values) const {
    int64_t step = 1;
    for (int axis = 1; axis <= ragged_rank(); ++axis) step *= dims[axis];
    Rows rows{Places(static_cast<size_t>(std::clamp<int64_t>(row_count, 0, dims[0]))), row_count};
    for (size_t row = 0; row < rows.places.size(); ++row) rows.places[row] = static_cast<int64_t>(row) * step;
    for (int axis = 0; axis < ragged_rank(); ++axis) {
      const auto& partition = partitions[static_cast<size_t>(axis)];
      step /= dims[axis + 1];
      rows = HasSplits(axis) ? Inside(rows, partition, step, dims[axis + 1], AskedFor(partitions, axis, values))
                             : InsideByRows(rows, partition, step, dims[axis + 1]);
    }
    Require(rows.count <= values, "the partitions are of ", rows.count, " values, but there are ", values);
    return std::move(rows.places);
  }

  // Runs of values that follow each other, and the filler in what lies before, between and behind them.
  void Write(const Tensor& values, const Tensor& filler, const Places& places, int64_t row, Tensor& output) const {
    int64_t done = 0;  // elements of the output
    for (size_t i = 0; i < places.size();) {
      if (places[i] == kNowhere) {
        ++i;
        continue;
      }
      size_t end = i + 1;
      while (end < places.size() && places[end] == places[end - 1] + 1) ++end;
      Fill(filler, done, places[i] * row, output);
      const auto run = static_cast<int64_t>(end - i) * row;
      CopyRun(type_, values.raw(), static_cast<int64_t>(i) * row, output.mutable_raw(), places[i] * row, run);
      done = places[i] * row + run;
      i = end;
    }
    Fill(filler, done, output.elements(), output);
  }
  // Elements [begin, end), which are whole rows: the filler once, then what is there already, twice as much each time.
  void Fill(const Tensor& filler, int64_t begin, int64_t end, Tensor& output) const {
    if (begin == end) return;
    int64_t done = filler.elements();
    CopyRun(type_, filler.raw(), 0, output.mutable_raw(), begin, done);
    for (const int64_t count = end - begin; done < count;) {
      const int64_t more = std::min(done, count - done);
      CopyRun(type_, output.raw(), begin, output.mutable_raw(), begin + done, more);
      done += more;
    }
  }

  const DType type_;
  bool sized_ = false;
  std::vector<bool> has_splits_;  // of each ragged axis; else it has the rows of values
};

constexpr KernelRow kRows[] = {
    {"RaggedTensorToTensor", Make<RaggedToTensorKernel>},
};

}  // namespace

std::span<const KernelRow> RaggedToTensor() { return kRows; }

}  // namespace plumb::fast::cpu
