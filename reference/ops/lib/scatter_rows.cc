#include "reference/ops/lib/scatter_rows.h"

#include <cmath>
#include <vector>

#include "reference/numbers/element.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// Where the updates are read.
struct Source {
  bool is_own;    // from the value that changes
  bool is_one;    // one number for every element
  int64_t first;  // of the element that they begin with
  int64_t At(size_t row, int64_t width, int64_t column) const {
    return first + (is_one ? 0 : static_cast<int64_t>(row) * width + column);
  }
};

Source SourceOf(const Value& old, const Value& updates) {
  const bool is_own = updates.source != nullptr && updates.source == old.source;
  return {is_own, updates.tensor.rank() == 0, is_own ? updates.first : 0};
}

template <class N>
bool IsUnordered(const N& a, const N& b) {
  if constexpr (std::is_same_v<N, Real>) return std::isnan(a.v) || std::isnan(b.v);
  return false;
}

template <class N>
N Changed(Scatter scatter, const N& old, const N& change) {
  switch (scatter) {
    case Scatter::kAdd:
      return old + change;
    case Scatter::kSubtract:
      return old - change;
    case Scatter::kMultiply:
      return old * change;
    case Scatter::kDivide:
      if constexpr (std::is_same_v<N, Integer>) Require(!(change == 0), "a row is divided by zero");
      return old / change;
    case Scatter::kMin:
      if constexpr (!std::is_same_v<N, Complex>) return IsUnordered(old, change) ? old : Min(old, change);
      break;
    case Scatter::kMax:
      if constexpr (!std::is_same_v<N, Complex>) return IsUnordered(old, change) ? old : Max(old, change);
      break;
    case Scatter::kReplace:
      break;
  }
  return change;
}

// What is left of a row when it is stored: a product that overflows, or is subnormal, is so before it changes again;
// false less true is true.
template <class N>
void KeepRow(Array<N>& numbers, int64_t first, int64_t width) {
  Array<N> row = MakeArray<N>(numbers.dtype, Shape({width}));
  for (int64_t i = 0; i < width; ++i) row[i] = numbers[first + i];
  row = Load<N>(Store(row));
  for (int64_t i = 0; i < width; ++i) numbers[first + i] = row[i];
}

template <class N>
Value Computed(Scatter scatter, const Value& old, const RowsToChange& to, const Value& updates) {
  Array<N> numbers = Load<N>(old);
  const Array<N> given = Load<N>(updates);
  const Source source = SourceOf(old, updates);
  const Array<N>& changes = source.is_own ? numbers : given;
  const bool is_kept =
      scatter == Scatter::kMultiply || scatter == Scatter::kDivide || old.tensor.dtype() == DType::kBool;
  std::vector<N> change;
  for (size_t i = 0; i < to.rows.size(); ++i) {
    change.clear();
    for (int64_t j = 0; j < to.width; ++j) change.push_back(changes[source.At(i, to.width, j)]);
    for (int64_t j = 0; j < to.width; ++j) {
      N& number = numbers[to.rows[i] * to.width + j];
      number = Changed(scatter, number, change[static_cast<size_t>(j)]);
    }
    if (is_kept) KeepRow(numbers, to.rows[i] * to.width, to.width);
  }
  return Store(numbers);
}

// Elements of any type: of each, which element of the value or of the updates it is in the end.
Value Replaced(const Value& old, const RowsToChange& to, const Value& updates) {
  struct Origin {
    bool is_update;
    int64_t at;
  };
  const Source source = SourceOf(old, updates);
  std::vector<Origin> origins(static_cast<size_t>(old.tensor.elements()));
  for (size_t i = 0; i < origins.size(); ++i) origins[i] = {false, static_cast<int64_t>(i)};
  std::vector<Origin> row;
  for (size_t i = 0; i < to.rows.size(); ++i) {
    row.clear();
    for (int64_t j = 0; j < to.width; ++j) {
      const int64_t at = source.At(i, to.width, j);
      row.push_back(source.is_own ? origins[static_cast<size_t>(at)] : Origin{true, at});
    }
    for (int64_t j = 0; j < to.width; ++j) {
      origins[static_cast<size_t>(to.rows[i] * to.width + j)] = row[static_cast<size_t>(j)];
    }
  }
  Assembly result(old.tensor.dtype(), old.tensor.shape());
  for (size_t i = 0; i < origins.size(); ++i) {
    result.Copy(static_cast<int64_t>(i), origins[i].is_update ? updates : old, origins[i].at);
  }
  return result.Take();
}

}  // namespace

Value ScatteredRows(Scatter scatter, const Value& old, const RowsToChange& to, const Value& updates) {
  if (scatter == Scatter::kReplace) return Replaced(old, to, updates);
  Value result;
  ForNumber(old.tensor.dtype(), [&](auto tag) {
    using N = typename decltype(tag)::Type;
    result = Computed<N>(scatter, old, to, updates);
  });
  return result;
}

}  // namespace plumb::reference
