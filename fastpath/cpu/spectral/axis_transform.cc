#include "fastpath/cpu/spectral/axis_transform.h"

#include <algorithm>

#include "spec/core/choice_point.h"

namespace plumb::fast::cpu {
namespace {

// Columns that are gathered together: their numbers share cache lines.
constexpr int64_t kColumns = 8;
constinit ChoicePoint many_columns(
    "Fourier transform along an outer axis: a part of a group of columns, or whole groups");

template <class T>
void TransformRows(ThreadPool& pool, RowTransforms<T>& idle, const AxisOf& axis, bool inverse, T scale,
                   const std::complex<T>* from, std::complex<T>* to) {
  const int64_t n = axis.n;
  pool.ParallelFor(axis.outer, RowGrain(n), [&](int64_t begin, int64_t end) {
    const TakenTransform<T> transform(idle, n, inverse);
    std::vector<std::complex<T>> copy;
    for (int64_t row = begin; row < end; ++row) {
      const std::complex<T>* source = from + row * n;
      std::complex<T>* const result = to + row * n;
      if (source == result) {
        copy.assign(source, source + n);
        source = copy.data();
      }
      transform->Complex(source, result);
      if (scale != T(1)) std::for_each(result, result + n, [scale](std::complex<T>& z) { z *= scale; });
    }
  });
}

// A group of neighbouring columns, each with its elements `inner` apart.
template <class T>
class ColumnGroup {
 public:
  ColumnGroup(const AxisOf& axis, T scale)
      : axis_(axis), scale_(scale), column_(kColumns * static_cast<size_t>(axis.n)), result_(column_.size()) {}

  void Run(RowTransform<T>& transform, int64_t count, const std::complex<T>* from, std::complex<T>* to) {
    const int64_t n = axis_.n;
    for (int64_t t = 0; t < n; ++t) {
      for (int64_t j = 0; j < count; ++j) column_[static_cast<size_t>(j * n + t)] = from[t * axis_.inner + j];
    }
    for (int64_t j = 0; j < count; ++j) transform.Complex(column_.data() + j * n, result_.data() + j * n);
    for (int64_t t = 0; t < n; ++t) {
      for (int64_t j = 0; j < count; ++j) to[t * axis_.inner + j] = scale_ * result_[static_cast<size_t>(j * n + t)];
    }
  }

 private:
  const AxisOf axis_;
  const T scale_;
  std::vector<std::complex<T>> column_, result_;
};

}  // namespace

template <class T>
void TransformAxis(ThreadPool& pool, RowTransforms<T>& idle, const AxisOf& axis, bool inverse, T scale,
                   const std::complex<T>* from, std::complex<T>* to) {
  if (axis.inner == 1) return TransformRows(pool, idle, axis, inverse, scale, from, to);
  many_columns.Chosen(axis.inner % kColumns == 0);
  const int64_t groups = (axis.inner + kColumns - 1) / kColumns;
  const int64_t grain = std::max<int64_t>(1, RowGrain(axis.n) / kColumns);
  pool.ParallelFor(axis.outer * groups, grain, [&](int64_t begin, int64_t end) {
    const TakenTransform<T> transform(idle, axis.n, inverse);
    ColumnGroup<T> group(axis, scale);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % groups * kColumns, at = i / groups * axis.n * axis.inner + first;
      group.Run(*transform.get(), std::min(kColumns, axis.inner - first), from + at, to + at);
    }
  });
}

template void TransformAxis(ThreadPool&, RowTransforms<float>&, const AxisOf&, bool, float, const std::complex<float>*,
                            std::complex<float>*);
template void TransformAxis(ThreadPool&, RowTransforms<double>&, const AxisOf&, bool, double,
                            const std::complex<double>*, std::complex<double>*);

}  // namespace plumb::fast::cpu
