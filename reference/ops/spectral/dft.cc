#include "reference/ops/spectral/dft.h"

#include <cmath>

namespace plumb::reference {
namespace {

using Numbers = std::vector<std::complex<double>>;

// exp(sign·2πi r/n) for r = 0 … n-1, from angles of at most π.
Numbers RootsOfUnity(int64_t n, int sign) {
  Numbers roots;
  for (int64_t r = 0; r < n; ++r) {
    const int64_t nearest = 2 * r <= n ? r : r - n;
    roots.push_back(std::polar(1.0, sign * 2 * M_PI * static_cast<double>(nearest) / static_cast<double>(n)));
  }
  return roots;
}

// Along the middle one of three axes.
Numbers Transformed(const Numbers& x, int64_t n, int64_t inner, const Numbers& roots, double scale) {
  Numbers y(x.size());
  const auto outer = static_cast<int64_t>(x.size()) / (n * inner);
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t k = 0; k < n; ++k) {
      for (int64_t i = 0; i < inner; ++i) {
        std::complex<double> sum = 0;
        for (int64_t t = 0, r = 0; t < n; ++t, r = (r + k) % n) {
          sum += x[static_cast<size_t>((o * n + t) * inner + i)] * roots[static_cast<size_t>(r)];
        }
        y[static_cast<size_t>((o * n + k) * inner + i)] = sum * scale;
      }
    }
  }
  return y;
}

constexpr double kFactorSteps = 24;

}  // namespace

Signal::Signal(std::vector<int64_t> dims) : sizes(std::move(dims)) {
  int64_t count = 1;
  for (const int64_t size : sizes) count *= size;
  value.resize(static_cast<size_t>(count));
  tangent.resize(static_cast<size_t>(count));
}

void Signal::Set(int64_t i, Complex z) {
  value[static_cast<size_t>(i)] = {z.re.v, z.im.v};
  tangent[static_cast<size_t>(i)] = {z.re.d, z.im.d};
  moves = moves || z.re.d != 0 || z.im.d != 0;
  error += z.re.e + z.im.e;
  magnitude += std::fabs(z.re.v) + std::fabs(z.im.v);
}

Complex Signal::At(int64_t i) const {
  const std::complex<double> v = value[static_cast<size_t>(i)], d = tangent[static_cast<size_t>(i)];
  const double count = static_cast<double>(value.size());
  const double largest = 64 * (magnitude + error) * count * count;
  double e = error + steps * arithmetic.unit * (magnitude + error) + count * arithmetic.tiny;
  if (!(largest < arithmetic.largest)) e = INFINITY;
  return {Real(v.real(), e, d.real()), Real(v.imag(), e, d.imag())};
}

void Signal::Transform(int axis, bool inverse) {
  const int64_t n = sizes[static_cast<size_t>(axis)];
  int64_t inner = 1;
  for (size_t later = static_cast<size_t>(axis) + 1; later < sizes.size(); ++later) inner *= sizes[later];
  const Numbers roots = RootsOfUnity(n, inverse ? 1 : -1);
  const double scale = inverse ? 1 / static_cast<double>(n) : 1;
  value = Transformed(value, n, inner, roots, scale);
  if (moves) tangent = Transformed(tangent, n, inner, roots, scale);
  error *= scale;
  magnitude *= scale;
  steps += n == 1 ? 0 : 2 * static_cast<double>(n) + kFactorSteps;
}

}  // namespace plumb::reference
