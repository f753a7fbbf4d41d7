#include "conformance/compare/equivalence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "conformance/compare/row_order.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

using Number = std::complex<double>;

// f(a number of the type) for the floating types that have vectors.
template <class F>
void ForVectorType(DType dtype, const F& f) {
  switch (dtype) {
    case DType::kFloat:
      return f(float());
    case DType::kDouble:
      return f(double());
    case DType::kComplex64:
      return f(std::complex<float>());
    case DType::kComplex128:
      return f(std::complex<double>());
    default:
      throw Internal("no columns are aligned in ", DTypeName(dtype));
  }
}

template <class T>
T Turned(T value, Number phase) {
  if constexpr (std::is_floating_point_v<T>) return phase.real() < 0 ? -value : value;
  if constexpr (!std::is_floating_point_v<T>) return static_cast<T>(static_cast<Number>(value) * phase);
}

// By what a column is to be multiplied so that its product with the other one is positive; 1 where they have none.
Number PhaseOf(Number overlap) {
  const double size = std::abs(overlap);
  return size > 0 && std::isfinite(size) ? std::conj(overlap) / size : Number(1);
}

// The matrices of a tensor, column by column.
struct Columns {
  int64_t matrices = 0, rows = 0, columns = 0;

  explicit Columns(const Shape& shape) {
    if (shape.rank() < 2 || shape.elements() == 0) return;
    rows = shape.dim(shape.rank() - 2);
    columns = shape.dim(shape.rank() - 1);
    matrices = shape.elements() / (rows * columns);
  }
  int64_t At(int64_t matrix, int64_t row, int64_t column) const { return (matrix * rows + row) * columns + column; }
};

// For each of n places the thing that belongs there: the pairs of a place and a thing are taken by their distances,
// the least first.
template <class F>
std::vector<int64_t> Matched(int64_t n, const F& distance) {
  std::vector<std::tuple<double, int64_t, int64_t>> pairs;
  for (int64_t place = 0; place < n; ++place) {
    for (int64_t thing = 0; thing < n; ++thing) {
      const double apart = distance(place, thing);
      pairs.emplace_back(std::isnan(apart) ? INFINITY : apart, place, thing);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  std::vector<int64_t> order(static_cast<size_t>(n), -1);
  std::vector<bool> taken(static_cast<size_t>(n));
  for (const auto& [apart, place, thing] : pairs) {
    if (order[static_cast<size_t>(place)] >= 0 || taken[static_cast<size_t>(thing)]) continue;
    order[static_cast<size_t>(place)] = thing;
    taken[static_cast<size_t>(thing)] = true;
  }
  return order;
}

// The order, row by row, in which the elements of `actual` lie close to those of `expected`.
std::vector<int64_t> OrderOfElements(const Tensor& actual, const Tensor& expected) {
  std::vector<int64_t> order;
  const int64_t n = actual.rank() == 0 ? 0 : actual.dim(actual.rank() - 1);
  ForVectorType(actual.dtype(), [&](auto kind) {
    using T = decltype(kind);
    const T *const from = actual.data<T>().data(), *const to = expected.data<T>().data();
    for (int64_t row = 0; row < actual.elements(); row += n) {
      const std::vector<int64_t> own = Matched(n, [&](int64_t place, int64_t thing) {
        return std::abs(static_cast<Number>(to[row + place]) - static_cast<Number>(from[row + thing]));
      });
      order.insert(order.end(), own.begin(), own.end());
    }
  });
  return order;
}

// `order` holds a place of its row for each of the things along the last dimension; of a matrix, one for each column.
Tensor Reordered(const Tensor& tensor, const std::vector<int64_t>& order, int64_t rows) {
  if (order.empty() || static_cast<int64_t>(order.size()) * rows != tensor.elements()) return tensor;
  const int64_t n = tensor.dim(tensor.rank() - 1);
  Tensor result = tensor.Clone();
  ForVectorType(tensor.dtype(), [&](auto kind) {
    using T = decltype(kind);
    const T* const from = tensor.data<T>().data();
    T* const to = result.mutable_data<T>().data();
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      const int64_t row = i / n, group = row / rows;
      to[i] = from[row * n + order[static_cast<size_t>(group * n + i % n)]];
    }
  });
  return result;
}

// The rows of a matrix that have no phase.
int64_t RowsOfValues(Equivalence equivalence) {
  return equivalence == Equivalence::kColumnsBelowValuesUpToPhase ? 1 : 0;
}

// Whether whole rows, as they are, may stand in another order.
bool HasRowsInOrder(Equivalence equivalence) {
  return equivalence == Equivalence::kRowsInAnyOrder || equivalence == Equivalence::kRowsInSameOrder;
}

// What an answer may differ by from element `i` because places of its row may be exchanged, besides its sign.
template <class T>
double OpenBy(std::span<const T> elements, size_t i, const Shape& shape, Equivalence equivalence) {
  const auto at = [&](size_t k) { return static_cast<Number>(elements[k]); };
  const auto columns = static_cast<size_t>(shape.rank() == 0 ? 1 : shape.dim(shape.rank() - 1));
  const auto rows = static_cast<size_t>(shape.rank() < 2 ? 1 : shape.dim(shape.rank() - 2));
  if (static_cast<int64_t>(i / columns % rows) < RowsOfValues(equivalence)) return 0;
  double open = equivalence == Equivalence::kElementsInAnyOrder ? 0 : 2 * std::abs(at(i));
  if (equivalence != Equivalence::kElementsInAnyOrder && equivalence != Equivalence::kColumnsInSameOrderUpToPhase) {
    return open;
  }
  const size_t row = i - i % columns;
  for (size_t k = row; k < row + columns; ++k) {
    const bool is_value = equivalence == Equivalence::kElementsInAnyOrder;
    open = std::max(open, is_value ? std::abs(at(i) - at(k)) : std::abs(at(i)) + std::abs(at(k)));
  }
  return open;
}

// Whether each row holds 0, 1, …, once each.
bool HoldsPermutations(const Tensor& tensor) {
  const int64_t n = tensor.rank() == 0 ? 0 : tensor.dim(tensor.rank() - 1);
  const std::vector<int64_t> elements = ToInt64s(tensor);
  for (auto row = elements.begin(); row != elements.end(); row += n) {
    std::vector<bool> seen(static_cast<size_t>(n));
    for (auto at = row; at != row + n; ++at) {
      if (*at < 0 || *at >= n || seen[static_cast<size_t>(*at)]) return false;
      seen[static_cast<size_t>(*at)] = true;
    }
  }
  return true;
}

}  // namespace

Equivalence EquivalenceOf(const GraphDef& graph, const std::string& fetch) {
  const TensorName name = ParseTensorName(fetch);
  for (const NodeDef& node : graph.nodes) {
    if (node.name != name.node) continue;
    const OpDef* const op = FindOp(node.op);
    return op == nullptr ? Equivalence::kNone : plumb::EquivalenceOf(*op, static_cast<size_t>(name.output));
  }
  return Equivalence::kNone;
}

Tensor Alignment::Aligned(const std::string& fetch, const Tensor& answer, const Tensor& expected) {
  const Equivalence equivalence = EquivalenceOf(graph_, fetch);
  if (!IsAligned(equivalence) || answer.shape() != expected.shape() || answer.dtype() != expected.dtype()) {
    return answer;
  }
  if (equivalence == Equivalence::kAnyPermutation) return HoldsPermutations(answer) ? expected : answer;
  const std::string node = ParseTensorName(fetch).node;
  if (equivalence == Equivalence::kRowsInAnyOrder) orders_[node] = OrderOfRows(answer, expected);
  if (HasRowsInOrder(equivalence)) return RowsInOrder(answer, orders_[node]);
  if (equivalence == Equivalence::kElementsInAnyOrder) {
    orders_[node] = OrderOfElements(answer, expected);
    return Reordered(answer, orders_[node], 1);
  }
  const bool ordered = equivalence == Equivalence::kColumnsInSameOrderUpToPhase && orders_.contains(node);
  const Tensor actual = ordered ? Reordered(answer, orders_[node], Columns(answer.shape()).rows) : answer;
  const auto before = phases_.find(node);
  const bool follows = equivalence == Equivalence::kColumnsUpToSamePhase && before != phases_.end();
  const Phases given = follows ? before->second : Phases();
  const Columns columns(actual.shape());
  const size_t width = columns.matrices == 0 ? 0 : given.size() / static_cast<size_t>(columns.matrices);
  Phases phases;
  Tensor aligned = actual.Clone();
  ForVectorType(actual.dtype(), [&](auto kind) {
    using T = decltype(kind);
    const T *const from = actual.data<T>().data(), *const to = expected.data<T>().data();
    T* const result = aligned.mutable_data<T>().data();
    for (int64_t i = 0; i < columns.matrices; ++i) {
      for (int64_t k = 0; k < columns.columns; ++k) {
        Number overlap = 0;
        for (int64_t row = RowsOfValues(equivalence); row < columns.rows; ++row) {
          const auto at = columns.At(i, row, k);
          overlap += std::conj(static_cast<Number>(to[at])) * static_cast<Number>(from[at]);
        }
        const size_t place = static_cast<size_t>(i) * width + static_cast<size_t>(k);
        const Number phase = static_cast<size_t>(k) < width ? given[place] : PhaseOf(overlap);
        phases.push_back(phase);
        for (int64_t row = RowsOfValues(equivalence); row < columns.rows; ++row) {
          const auto at = columns.At(i, row, k);
          result[at] = Turned(from[at], phase);
        }
      }
    }
  });
  phases_[node] = std::move(phases);
  return aligned;
}

reference::Value Settled(const reference::Value& value, Equivalence equivalence) {
  if (!IsAligned(equivalence) || HasRowsInOrder(equivalence) || value.bound == nullptr) return value;
  std::vector<double> bound = *value.bound;
  ForVectorType(value.tensor.dtype(), [&](auto kind) {
    using T = decltype(kind);
    const auto elements = value.tensor.data<T>();
    const size_t parts = bound.size() / std::max<size_t>(elements.size(), 1);
    for (size_t i = 0; i < bound.size(); ++i) {
      const double open = OpenBy(elements, i / parts, value.tensor.shape(), equivalence);
      // The element was rounded after the bound was made, and a complex one is once more when it is turned.
      const double rounding = 2 * static_cast<double>(std::numeric_limits<decltype(std::abs(kind))>::epsilon());
      bound[i] = std::max(0.0, bound[i] - open) + rounding * open;
    }
  });
  reference::Value settled = value;
  settled.bound = std::make_shared<const std::vector<double>>(std::move(bound));
  return settled;
}

}  // namespace plumb::conformance
