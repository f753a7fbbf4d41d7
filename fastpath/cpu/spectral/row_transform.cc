#include "fastpath/cpu/spectral/row_transform.h"

#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/FFT>

#include "spec/core/choice_point.h"

namespace plumb::fast::cpu {
namespace {

constexpr double kPi = 3.14159265358979323846;
// A mixed-radix step costs as many operations per number as its factor; beyond this the convolution is cheaper.
constexpr int64_t kLargestFactor = 31;
constinit ChoicePoint is_long("Fourier transform: few numbers, whose factors may be constants, or more");
constinit ChoicePoint large_factor("Fourier transform: small factors, or a large prime one");

int64_t LargestPrimeFactor(int64_t n) {
  int64_t largest = 1;
  for (int64_t p = 2; p * p <= n; ++p) {
    for (; n % p == 0; n /= p) largest = p;
  }
  return n > 1 ? n : largest;
}

}  // namespace

template <class T>
struct RowTransform<T>::MixedRadix {
  Eigen::FFT<T> fft;
  MixedRadix() {
    fft.SetFlag(Eigen::FFT<T>::Unscaled);
    fft.SetFlag(Eigen::FFT<T>::HalfSpectrum);
  }
  void Run(const std::complex<T>* from, std::complex<T>* to, int64_t n, bool inverse) {
    if (inverse) {
      fft.inv(to, from, n);
    } else {
      fft.fwd(to, from, n);
    }
  }
};

// Bluestein: kt = (k² + t² − (k − t)²)/2 makes the transform a convolution with w[t] = exp(∓πi t²/n), which transforms
// of m ≥ 2n − 1 numbers compute, m a power of two.
template <class T>
struct RowTransform<T>::Chirp {
  int64_t m = 1;
  std::vector<std::complex<T>> w, spectrum, padded, product;  // spectrum: of 1/w, divided by m

  Chirp(int64_t n, bool inverse) {
    while (m < 2 * n - 1) m *= 2;
    std::vector<std::complex<double>> kernel(static_cast<size_t>(m)), transformed(static_cast<size_t>(m));
    for (int64_t t = 0; t < n; ++t) {
      const int64_t square = t * t % (2 * n);  // exact: n is far below the root of the largest integer
      const int64_t nearest = square <= n ? square : square - 2 * n;
      const double angle = kPi * static_cast<double>(nearest) / static_cast<double>(n);
      const auto factor = std::polar(1.0, inverse ? angle : -angle);
      w.emplace_back(static_cast<T>(factor.real()), static_cast<T>(factor.imag()));
      kernel[static_cast<size_t>(t)] = kernel[static_cast<size_t>((m - t) % m)] = std::conj(factor);
    }
    Eigen::FFT<double> fft;
    fft.fwd(transformed.data(), kernel.data(), m);
    for (const std::complex<double>& z : transformed) {
      const std::complex<double> scaled = z / static_cast<double>(m);
      spectrum.emplace_back(static_cast<T>(scaled.real()), static_cast<T>(scaled.imag()));
    }
    padded.resize(static_cast<size_t>(m));
    product.resize(static_cast<size_t>(m));
  }

  void Run(MixedRadix& mixed_radix, const std::complex<T>* from, std::complex<T>* to) {
    for (size_t t = 0; t < w.size(); ++t) padded[t] = from[t] * w[t];
    std::fill(padded.begin() + static_cast<std::ptrdiff_t>(w.size()), padded.end(), std::complex<T>());
    mixed_radix.Run(padded.data(), product.data(), m, false);
    for (size_t i = 0; i < product.size(); ++i) product[i] *= spectrum[i];
    mixed_radix.Run(product.data(), padded.data(), m, true);
    for (size_t k = 0; k < w.size(); ++k) to[k] = padded[k] * w[k];
  }
};

template <class T>
RowTransform<T>::RowTransform(int64_t n, bool inverse)
    : n_(n), inverse_(inverse), mixed_radix_(std::make_unique<MixedRadix>()) {
  if (!is_long.Chosen(n > kLongestShort)) short_ = FindShortRow<T>(n, inverse);
  if (large_factor.Chosen(LargestPrimeFactor(n) > kLargestFactor)) chirp_ = std::make_unique<Chirp>(n, inverse);
}

template <class T>
RowTransform<T>::~RowTransform() = default;

template <class T>
void RowTransform<T>::Complex(const std::complex<T>* from, std::complex<T>* to) {
  if (n_ == 1) {
    *to = *from;
  } else if (short_ != nullptr) {
    short_(from, to);
  } else if (chirp_ != nullptr) {
    chirp_->Run(*mixed_radix_, from, to);
  } else {
    mixed_radix_->Run(from, to, n_, inverse_);
  }
}

template <class T>
void RowTransform<T>::RealToHalf(const T* from, std::complex<T>* to) {
  if (n_ > 1 && chirp_ == nullptr) return mixed_radix_->fft.fwd(to, from, n_);
  row_.assign(from, from + n_);
  result_.resize(static_cast<size_t>(n_));
  Complex(row_.data(), result_.data());
  std::copy(result_.begin(), result_.begin() + n_ / 2 + 1, to);
}

template <class T>
void RowTransform<T>::HalfToReal(const std::complex<T>* from, T* to) {
  if (n_ > 1 && chirp_ == nullptr) return mixed_radix_->fft.inv(to, from, n_);
  row_.assign(from, from + n_ / 2 + 1);
  for (int64_t k = n_ / 2 + 1; k < n_; ++k) row_.push_back(std::conj(from[n_ - k]));
  result_.resize(static_cast<size_t>(n_));
  Complex(row_.data(), result_.data());
  std::transform(result_.begin(), result_.end(), to, [](std::complex<T> z) { return z.real(); });
}

template <class T>
std::unique_ptr<RowTransform<T>> RowTransforms<T>::Take(int64_t n, bool inverse) {
  {
    const MutexLock lock(mutex_);
    const auto fits = [&](const std::unique_ptr<Transform>& idle) { return idle->Fits(n, inverse); };
    if (const auto found = std::find_if(idle_.begin(), idle_.end(), fits); found != idle_.end()) {
      std::unique_ptr<Transform> transform = std::move(*found);
      idle_.erase(found);
      return transform;
    }
  }
  return std::make_unique<Transform>(n, inverse);
}

template <class T>
void RowTransforms<T>::GiveBack(std::unique_ptr<Transform> transform) {
  const MutexLock lock(mutex_);
  if (idle_.size() == kMost) idle_.erase(idle_.begin());
  idle_.push_back(std::move(transform));
}

template class RowTransform<float>;
template class RowTransform<double>;
template class RowTransforms<float>;
template class RowTransforms<double>;

}  // namespace plumb::fast::cpu
