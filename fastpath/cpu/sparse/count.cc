// DenseCountSparseOutput and SparseCountSparseOutput: numbers put in order, and equal neighbours counted; or, where
// rows and numbers are few, a table of them all.
#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>

#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::cpu {
namespace {

using WeightTypes = Types<int32_t, int64_t, float, double>;

constinit ChoicePoint many_cells("counts: a table of all rows and numbers, or only what occurs");
constinit ChoicePoint dense_numbers("numbers of a row: put in order by comparing, or by counting");

// A number, its row, and which value it is.
struct Entry {
  int64_t row, number, place;
};

// In the order of their numbers, which are not negative; equal ones stay in theirs.
void SortByNumber(std::span<Entry> entries, std::vector<Entry>& scratch) {
  const auto by_number = [](const Entry& a, const Entry& b) { return a.number < b.number; };
  const int64_t greatest = std::max_element(entries.begin(), entries.end(), by_number)->number;
  const auto size = static_cast<int64_t>(entries.size());
  if (dense_numbers.Chosen(greatest / 4 >= size)) {
    std::stable_sort(entries.begin(), entries.end(), by_number);
    return;
  }
  std::vector<int64_t> next(static_cast<size_t>(greatest) + 2, 0);  // where those of a number go
  for (const Entry& entry : entries) ++next[static_cast<size_t>(entry.number) + 1];
  for (size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  scratch.resize(entries.size());
  for (const Entry& entry : entries) scratch[next[static_cast<size_t>(entry.number)]++] = entry;
  std::copy(scratch.begin(), scratch.end(), entries.begin());
}

// By row, and within a row by number.
void Sort(std::span<Entry> entries) {
  const auto by_row = [](const Entry& a, const Entry& b) { return a.row < b.row; };
  if (!std::is_sorted(entries.begin(), entries.end(), by_row)) {
    std::stable_sort(entries.begin(), entries.end(), by_row);
  }
  std::vector<Entry> scratch;
  for (size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    while (end < entries.size() && entries[end].row == entries[begin].row) ++end;
    SortByNumber(entries.subspan(begin, end - begin), scratch);
  }
}

class Count : public Kernel {
 public:
  explicit Count(const Node& node)
      : type_(OutputType(node, 1)),
        least_(GetAttr<int64_t>(node.attrs, "minlength")),
        most_(GetAttr<int64_t>(node.attrs, "maxlength")),
        is_binary_(GetAttr<bool>(node.attrs, "binary_output")) {}

 protected:
  // Whether a number counts. None may be negative.
  bool Counts(int64_t number) const {
    Require(number >= 0, "the value ", number, " is negative; only numbers from 0 on are counted");
    return most_ < 0 || number < most_;
  }

  // What is to be counted of `values`.
  class Entries {
   public:
    explicit Entries(int64_t most) : room_(new Entry[static_cast<size_t>(most)]) {}
    void Add(const Entry& entry) { room_[count_++] = entry; }
    std::span<Entry> all() { return {room_.get(), count_}; }

   private:
    std::unique_ptr<Entry[]> room_;  // NOLINT: a vector would write all of it beforehand
    size_t count_ = 0;
  };
  // Where the row of value i is row_of(i).
  template <class F>
  Entries Counted(const Tensor& values, const F& row_of) const {
    Entries entries(values.elements());
    VisitOneOf(Types<int32_t, int64_t>(), values.dtype(), false, [&](auto tag) {
      const auto numbers = values.data<typename decltype(tag)::Type>();
      for (int64_t i = 0; i < std::ssize(numbers); ++i) {
        const int64_t number = numbers[static_cast<size_t>(i)];
        if (Counts(number)) entries.Add({row_of(i), number, i});
      }
      return true;
    });
    return entries;
  }

  // A vector has one row, which the result does not name.
  void Put(KernelContext& context, std::span<Entry> entries, bool is_vector, int64_t rows,
           const Tensor& weights) const {
    int64_t columns = 1;
    for (const Entry& entry : entries) {
      Require(entry.number < std::numeric_limits<int64_t>::max(), "a value is too large to be counted");
      columns = std::max(columns, entry.number + 1);
    }
    if (many_cells.Chosen(columns > 4 * static_cast<int64_t>(entries.size()) / rows)) {
      PutSorted(context, entries, is_vector, weights);
    } else {
      PutTable(context, entries, is_vector, {rows, columns}, weights);
    }
    Dims dims;
    if (!is_vector) dims.Append(rows);
    dims.Append(most_ >= 0 ? most_ : std::max(columns, least_));
    SetDims(context, 2, dims);
  }

 private:
  void PutSorted(KernelContext& context, std::span<Entry> entries, bool is_vector, const Tensor& weights) const {
    Sort(entries);
    std::vector<size_t> begins;
    for (size_t i = 0; i < entries.size(); ++i) {
      if (i == 0 || entries[i].row != entries[i - 1].row || entries[i].number != entries[i - 1].number)
        begins.push_back(i);
    }
    int64_t* at = AllocateRows(context, 0, static_cast<int64_t>(begins.size()), is_vector ? 1 : 2);
    for (const size_t begin : begins) {
      if (!is_vector) *at++ = entries[begin].row;
      *at++ = entries[begin].number;
    }
    begins.push_back(entries.size());
    PutSums(context, entries, begins, weights);
  }

  struct TableSize {
    int64_t rows, columns;
    size_t CellOf(const Entry& entry) const { return static_cast<size_t>(entry.row * columns + entry.number); }
    size_t cells() const { return static_cast<size_t>(rows * columns); }
  };

  void PutTable(KernelContext& context, std::span<const Entry> entries, bool is_vector, TableSize size,
                const Tensor& weights) const {
    VisitOneOf(WeightTypes(), type_, false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const weight = weights.elements() == 0 ? nullptr : weights.data<T>().data();
      std::vector<uint8_t> occurs(size.cells());
      std::vector<T> sums(size.cells(), T(0));
      for (const Entry& entry : entries) {
        const size_t cell = size.CellOf(entry);
        occurs[cell] = 1;
        sums[cell] = Sum(sums[cell], weight == nullptr ? T(1) : weight[entry.place]);
      }
      const int64_t runs = std::count(occurs.begin(), occurs.end(), 1);
      int64_t* at = AllocateRows(context, 0, runs, is_vector ? 1 : 2);
      T* to = context.AllocateOutput(1, type_, Shape({runs})).template mutable_data<T>().data();
      for (size_t cell = 0; cell < occurs.size(); ++cell) {
        if (occurs[cell] == 0) continue;
        if (!is_vector) *at++ = static_cast<int64_t>(cell) / size.columns;
        *at++ = static_cast<int64_t>(cell) % size.columns;
        *to++ = is_binary_ ? T(1) : sums[cell];
      }
      return true;
    });
  }

  void PutSums(KernelContext& context, std::span<const Entry> entries, const std::vector<size_t>& begins,
               const Tensor& weights) const {
    const size_t runs = begins.size() - 1;
    Tensor& output = context.AllocateOutput(1, type_, Shape({static_cast<int64_t>(runs)}));
    VisitOneOf(WeightTypes(), type_, false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const weight = weights.elements() == 0 ? nullptr : weights.data<T>().data();
      T* const sums = output.mutable_data<T>().data();
      for (size_t run = 0; run < runs; ++run) {
        T sum(0);
        for (size_t i = begins[run]; i < begins[run + 1]; ++i) {
          sum = Sum(sum, weight == nullptr ? T(1) : weight[entries[i].place]);
        }
        sums[run] = is_binary_ ? T(1) : sum;
      }
      return true;
    });
  }

  // Whole numbers wrap around.
  template <class T>
  static T Sum(T x, T y) {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
    if constexpr (!std::is_integral_v<T>) return x + y;
  }

  const DType type_;
  const int64_t least_;
  const int64_t most_;
  const bool is_binary_;
};

void CheckWeights(const Tensor& weights, const Tensor& values) {
  Require(weights.elements() == 0 || weights.shape() == values.shape(), "weights of shape ", weights.shape().ToString(),
          " do not fit values of shape ", values.shape().ToString());
}

class DenseCount final : public Count {
 public:
  using Count::Count;
  void Run(KernelContext& context) override {
    const Tensor& values = context.input(0);
    Require(values.rank() == 1 || values.rank() == 2, "values must have rank 1 or 2, not the shape ",
            values.shape().ToString());
    CheckWeights(context.input(1), values);
    const int64_t rows = values.rank() == 1 ? 1 : values.dim(0);
    Require(rows > 0, "values have no rows");
    const int64_t width = std::max<int64_t>(1, values.elements() / rows);
    int64_t row = 0, end = width;
    Entries entries = Counted(values, [&](int64_t i) {
      while (i >= end) {
        ++row;
        end += width;
      }
      return row;
    });
    Put(context, entries.all(), values.rank() == 1, rows, context.input(1));
  }
};

class SparseCount final : public Count {
 public:
  using Count::Count;
  void Run(KernelContext& context) override {
    const SparseView view = SparseInput(context, 0);
    Require(view.dims.rank > 0, "the sparse tensor must have a dimension");
    for (int axis = 0; axis < view.dims.rank; ++axis) {
      Require(view.dims[axis] >= 0, "dense_shape[", axis, "] is ", view.dims[axis], ", but must not be negative");
    }
    CheckBounds(view.rows, view.dims);
    CheckWeights(context.input(3), *view.values);
    const bool is_vector = view.dims.rank == 1;
    const int64_t rows = is_vector ? 1 : view.dims[0];
    Require(rows > 0 && rows < std::numeric_limits<int32_t>::max(), "there are ", rows, " rows, which is none or too ",
            "many");
    Entries entries = Counted(*view.values, [&](int64_t i) { return is_vector ? int64_t{0} : view.rows[i][0]; });
    Put(context, entries.all(), is_vector, rows, context.input(3));
  }
};

constexpr KernelRow kRows[] = {
    {"DenseCountSparseOutput", Make<DenseCount>},
    {"SparseCountSparseOutput", Make<SparseCount>},
};

}  // namespace

std::span<const KernelRow> SparseCount() { return kRows; }

}  // namespace plumb::fast::cpu
