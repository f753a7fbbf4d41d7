// Fourier transforms of rows of one length. Transforms have room of their own to compute in: each thread takes one.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "fastpath/cpu/spectral/short_transform.h"
#include "fastpath/formulas/spectral/real_sizes.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast::cpu {

inline constexpr int64_t kLongestRow = kLongestTransform;

// Sums without the factor 1/n of an inverse transform.
template <class T>
class RowTransform {
 public:
  // 1 <= n <= kLongestRow.
  RowTransform(int64_t n, bool inverse);
  ~RowTransform();
  bool Fits(int64_t n, bool inverse) const { return n == n_ && inverse == inverse_; }

  // The n numbers at `from`; they may not overlap those at `to`.
  void Complex(const std::complex<T>* from, std::complex<T>* to);
  // The first n/2 + 1 coefficients of n real numbers; and n real numbers from as many coefficients.
  void RealToHalf(const T* from, std::complex<T>* to);
  void HalfToReal(const std::complex<T>* from, T* to);

 private:
  struct MixedRadix;
  struct Chirp;

  const int64_t n_;
  const bool inverse_;
  ShortRow<T> short_ = nullptr;
  std::unique_ptr<MixedRadix> mixed_radix_;
  std::unique_ptr<Chirp> chirp_;  // where n has a large prime factor
  std::vector<std::complex<T>> row_, result_;
};

// Transforms that were made once and wait for their next use.
template <class T>
class RowTransforms {
 public:
  using Transform = RowTransform<T>;
  std::unique_ptr<Transform> Take(int64_t n, bool inverse);
  void GiveBack(std::unique_ptr<Transform> transform);

 private:
  static constexpr size_t kMost = 16;
  Mutex mutex_;
  std::vector<std::unique_ptr<Transform>> idle_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast::cpu
