// Fourier transforms along one axis of an array, cut over threads.
#pragma once

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/spectral/row_transform.h"

namespace plumb::fast::cpu {

// A transform of rows, held for the length of a chunk.
template <class T>
class TakenTransform {
 public:
  TakenTransform(RowTransforms<T>& idle, int64_t n, bool inverse) : idle_(idle), transform_(idle.Take(n, inverse)) {}
  ~TakenTransform() { idle_.GiveBack(std::move(transform_)); }
  TakenTransform(const TakenTransform&) = delete;
  TakenTransform& operator=(const TakenTransform&) = delete;
  RowTransform<T>* operator->() const { return transform_.get(); }
  RowTransform<T>* get() const { return transform_.get(); }

 private:
  RowTransforms<T>& idle_;
  std::unique_ptr<RowTransform<T>> transform_;
};

// Rows of n numbers that pay for a chunk.
inline int64_t RowGrain(int64_t n) {
  int64_t log2 = 1;
  while (int64_t{1} << log2 < n) ++log2;
  return GrainFor(6 * n * log2);
}

// The middle axis of `outer` × n × `inner` numbers; each result times `scale`. `from` may be `to`.
struct AxisOf {
  int64_t outer = 1, n = 1, inner = 1;
};
template <class T>
void TransformAxis(ThreadPool& pool, RowTransforms<T>& idle, const AxisOf& axis, bool inverse, T scale,
                   const std::complex<T>* from, std::complex<T>* to);

}  // namespace plumb::fast::cpu
