#include "fastpath/cpu/lib/state/scatter_rows.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <type_traits>
#include <vector>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/row_loops.h"
#include "fastpath/cpu/lib/state/update.h"
#include "fastpath/cpu/lib/types.h"

namespace plumb::fast::cpu {
namespace {

// Columns are cut over threads, so that every row sees its updates in order. A cut holds a cache line.
constexpr int64_t kLeastColumns = 16;

template <class T>
T Quotient(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    Require(y != 0, "a row is divided by zero");
    if (std::is_signed_v<T> && y == static_cast<T>(-1)) return static_cast<T>(uint64_t{0} - static_cast<uint64_t>(x));
    return static_cast<T>(x / y);
  } else {
    return x / y;
  }
}

template <class T>
T Product(T x, T y) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y));
  return x * y;
}

template <Scatter scatter, class T>
T Changed(T old, T change) {
  if constexpr (kIsFloat16<T>) {
    return T(Changed<scatter>(static_cast<float>(old), static_cast<float>(change)));
  } else if constexpr (scatter == Scatter::kAdd) {
    return old || change;
  } else if constexpr (scatter == Scatter::kSubtract) {
    return old != change;
  } else if constexpr (scatter == Scatter::kMultiply) {
    return Product(old, change);
  } else if constexpr (scatter == Scatter::kDivide) {
    return Quotient(old, change);
  } else if constexpr (scatter == Scatter::kMin) {
    return change < old ? change : old;
  } else {
    return change > old ? change : old;
  }
}

// Changes n elements by as many, or by one.
using RunLoop = void (*)(char* target, const char* change, int64_t n, bool is_one);

template <Scatter scatter, class T>
void ChangeRun(char* target, const char* change, int64_t n, bool is_one) {
  T* const to = reinterpret_cast<T*>(target);
  const T* const from = reinterpret_cast<const T*>(change);
  if constexpr (scatter == Scatter::kReplace) {
    if (is_one) {
      std::fill_n(to, n, *from);
    } else if (to != from) {
      std::copy_n(from, n, to);
    }
  } else {
    for (int64_t i = 0; i < n; ++i) to[i] = Changed<scatter, T>(to[i], from[is_one ? 0 : i]);
  }
}

template <Scatter scatter, class... T>
RunLoop LoopFor(DType type, Types<T...> types) {
  return VisitOneOf(types, type, RunLoop(nullptr),
                    [](auto tag) { return RunLoop(ChangeRun<scatter, typename decltype(tag)::Type>); });
}

RunLoop LoopFor(Scatter scatter, DType type) {
  switch (scatter) {
    case Scatter::kReplace:
      return VisitType(type,
                       [](auto tag) { return RunLoop(ChangeRun<Scatter::kReplace, typename decltype(tag)::Type>); });
    case Scatter::kMultiply:
      return LoopFor<Scatter::kMultiply>(type, FloatTypes() + IntegerTypes() + ComplexTypes());
    case Scatter::kDivide:
      return LoopFor<Scatter::kDivide>(type, FloatTypes() + IntegerTypes() + ComplexTypes());
    case Scatter::kMin:
      return LoopFor<Scatter::kMin>(type, FloatTypes() + IntegerTypes());
    case Scatter::kMax:
      return LoopFor<Scatter::kMax>(type, FloatTypes() + IntegerTypes());
    case Scatter::kAdd:
      return LoopFor<Scatter::kAdd>(type, Types<bool>());
    case Scatter::kSubtract:
      return LoopFor<Scatter::kSubtract>(type, Types<bool>());
  }
  return nullptr;
}

constexpr int64_t kWideRow = 32;  // elements from which a call for each row is cheap
constinit ChoicePoint wide_rows("scatter of extremes: element by element, or rows in vectors");

template <Scatter scatter, class T>
void ChangeWideRun(char* target, const char* change, int64_t n, bool /*is_one*/) {
  T* const to = reinterpret_cast<T*>(target);
  const T* const from = reinterpret_cast<const T*>(change);
  if constexpr (scatter == Scatter::kMax) TakeLarger(from, to, n, to);
  if constexpr (scatter == Scatter::kMin) TakeSmaller(from, to, n, to);
}

// Of rows that are changed by as many elements; null where there are no vectors.
RunLoop WideLoopFor(Scatter scatter, DType type) {
  using Vectors = Types<float, double>;
  if (scatter == Scatter::kMax) {
    return VisitOneOf(Vectors(), type, RunLoop(nullptr),
                      [](auto tag) { return RunLoop(ChangeWideRun<Scatter::kMax, typename decltype(tag)::Type>); });
  }
  if (scatter != Scatter::kMin) return nullptr;
  return VisitOneOf(Vectors(), type, RunLoop(nullptr),
                    [](auto tag) { return RunLoop(ChangeWideRun<Scatter::kMin, typename decltype(tag)::Type>); });
}

int64_t SizeOf(DType type) {
  return VisitType(type, [](auto tag) { return static_cast<int64_t>(sizeof(typename decltype(tag)::Type)); });
}

// Numbers have vector loops for that; bits do not.
bool IsSum(Scatter scatter, DType type) {
  return (scatter == Scatter::kAdd || scatter == Scatter::kSubtract) && type != DType::kBool;
}

// Calls change(target, updates, n) for columns [begin, end) of each row.
template <class Change>
void ForEachRow(Tensor& target, const RowsToChange& to, const Tensor& updates, int64_t begin, int64_t end,
                const Change& change) {
  const int64_t size = SizeOf(target.dtype());
  char* const rows = static_cast<char*>(target.mutable_raw());
  const char* const from = static_cast<const char*>(updates.raw());
  const bool is_one = updates.rank() == 0;
  for (size_t i = 0; i < to.rows.size(); ++i) {
    const int64_t at = is_one ? 0 : static_cast<int64_t>(i) * to.width + begin;
    change(rows + (to.rows[i] * to.width + begin) * size, from + at * size, end - begin);
  }
}

// Of the target's own elements, those that a row is about to replace are read first.
template <class Change>
void ChangeByOwn(Tensor& target, const RowsToChange& to, const Tensor& updates, const Change& change) {
  const int64_t size = SizeOf(target.dtype());
  const int64_t read = (updates.rank() == 0 ? 1 : to.width) * size;
  std::vector<char> copy;
  ForEachRow(target, to, updates, 0, to.width, [&](char* row, const char* value, int64_t n) {
    if ((read != n * size || value != row) && value < row + n * size && row < value + read) {
      copy.assign(value, value + read);
      value = copy.data();
    }
    change(row, value, n);
  });
}

template <class Change>
void ChangeRows(ThreadPool& pool, Tensor& target, const RowsToChange& to, const Tensor& updates, bool is_own,
                const Change& change) {
  if (is_own) return ChangeByOwn(target, to, updates, change);
  const int64_t work = 4 * static_cast<int64_t>(to.rows.size());
  pool.ParallelFor(to.width, std::max(kLeastColumns, GrainFor(work)),
                   [&](int64_t begin, int64_t end) { ForEachRow(target, to, updates, begin, end, change); });
}

}  // namespace

bool IsPartOf(const Tensor& part, const Tensor& whole) {
  const auto* const begin = static_cast<const char*>(whole.raw());
  const auto* const at = static_cast<const char*>(part.raw());
  return !std::less<>()(at, begin) && std::less<>()(at, begin + whole.bytes());
}

bool HasZero(const Tensor& divisors) {
  return VisitOneOf(FloatTypes() + IntegerTypes() + ComplexTypes(), divisors.dtype(), false, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const auto all = divisors.data<T>();
    if constexpr (kIsFloat16<T>) {
      return std::any_of(all.begin(), all.end(), [](T x) { return static_cast<float>(x) == 0; });
    } else {
      return std::any_of(all.begin(), all.end(), [](T x) { return x == T(0); });
    }
  });
}

void ScatterRows(ThreadPool& pool, Scatter scatter, Tensor& target, const RowsToChange& to, const Tensor& updates,
                 bool is_own) {
  if (to.rows.empty() || to.width == 0) return;
  const bool is_one = updates.rank() == 0;
  if (IsSum(scatter, target.dtype())) {
    const Adder add(scatter == Scatter::kAdd ? Update::kAdd : Update::kSubtract, target.dtype());
    return ChangeRows(pool, target, to, updates, is_own, [&](char* row, const char* value, int64_t n) {
      add(row, value, n, is_one ? Operands::kScalarY : Operands::kBoth);
    });
  }
  RunLoop loop = LoopFor(scatter, target.dtype());
  if (const RunLoop wide = WideLoopFor(scatter, target.dtype());
      wide != nullptr && !is_one && wide_rows.Chosen(to.width >= kWideRow)) {
    loop = wide;
  }
  ChangeRows(pool, target, to, updates, is_own,
             [&](char* row, const char* value, int64_t n) { loop(row, value, n, is_one); });
}

}  // namespace plumb::fast::cpu
