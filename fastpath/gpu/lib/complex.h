// Complex numbers as kernels compute them: two parts in a row, as tensors hold them. What is said of complex numbers
// here is said of real ones too, so that one text of a kernel serves both.
#pragma once

#include <cmath>
#include <complex>
#include <type_traits>

#include "fastpath/gpu/gpu_context.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {

// No initial value, so that it may stand in shared memory.
template <class T>
struct alignas(2 * sizeof(T)) Complex {
  T re, im;

  Complex() = default;
  PLUMB_GPU_WORD Complex(T re, T im = T(0)) : re(re), im(im) {}  // NOLINT: a real number is a complex one

  friend PLUMB_GPU_WORD Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  friend PLUMB_GPU_WORD Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
  friend PLUMB_GPU_WORD Complex operator-(Complex a) { return {-a.re, -a.im}; }
  friend PLUMB_GPU_WORD Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend PLUMB_GPU_WORD Complex operator*(T a, Complex b) { return {a * b.re, a * b.im}; }
  friend PLUMB_GPU_WORD Complex operator/(Complex a, T b) { return {a.re / b, a.im / b}; }
  // The divisor is brought near one before its square is taken, which neither overflows nor vanishes then.
  friend PLUMB_GPU_WORD Complex operator/(Complex a, Complex b) {
    const T largest = std::fmax(std::fabs(b.re), std::fabs(b.im));
    const int power = largest > T(0) && largest - largest == T(0) ? -std::ilogb(largest) : 0;
    const T re = std::scalbn(b.re, power), im = std::scalbn(b.im, power), square = re * re + im * im;
    return {std::scalbn((a.re * re + a.im * im) / square, power), std::scalbn((a.im * re - a.re * im) / square, power)};
  }
  friend PLUMB_GPU_WORD bool operator==(Complex a, Complex b) { return a.re == b.re && a.im == b.im; }
  PLUMB_GPU_WORD Complex& operator+=(Complex other) { return *this = *this + other; }
  PLUMB_GPU_WORD Complex& operator-=(Complex other) { return *this = *this - other; }
};

template <class N>
struct RealOfNumber {
  using Type = N;
};
template <class T>
struct RealOfNumber<Complex<T>> {
  using Type = T;
};
// What the parts of a number are made of.
template <class N>
using RealOf = typename RealOfNumber<N>::Type;
template <class N>
inline constexpr bool kIsComplex = !std::is_same_v<N, RealOf<N>>;

template <class N>
PLUMB_GPU_WORD RealOf<N> RealPart(N x) {
  if constexpr (kIsComplex<N>) {
    return x.re;
  } else {
    return x;
  }
}
template <class N>
PLUMB_GPU_WORD RealOf<N> ImagPart(N x) {
  if constexpr (kIsComplex<N>) {
    return x.im;
  } else {
    return N(0);
  }
}
template <class N>
PLUMB_GPU_WORD N Conjugated(N x) {
  if constexpr (kIsComplex<N>) {
    return {x.re, -x.im};
  } else {
    return x;
  }
}
// |x|, and its square.
template <class N>
PLUMB_GPU_WORD RealOf<N> Magnitude(N x) {
  if constexpr (kIsComplex<N>) {
    return std::hypot(x.re, x.im);
  } else {
    return std::fabs(x);
  }
}
template <class N>
PLUMB_GPU_WORD RealOf<N> SquareOfMagnitude(N x) {
  return RealPart(x) * RealPart(x) + ImagPart(x) * ImagPart(x);
}
template <class N>
PLUMB_GPU_WORD bool IsFiniteNumber(N x) {
  return RealPart(x) - RealPart(x) == 0 && ImagPart(x) - ImagPart(x) == 0;
}

template <class T>
struct NumberOfType {
  using Type = T;
};
template <class T>
struct NumberOfType<std::complex<T>> {
  using Type = Complex<T>;
};
// What kernels take elements of type T for.
template <class T>
using Number = typename NumberOfType<T>::Type;

// The elements of tensors, as numbers.
template <class T>
Global<const Number<T>> NumbersIn(const GpuContext& context, int input) {
  const Global<const T> elements = context.In<T>(input);
  return {reinterpret_cast<const Number<T>*>(elements.data), elements.size};
}
template <class T>
Global<Number<T>> NumbersOf(const GpuContext& context, Tensor& tensor) {
  const Global<T> elements = context.ViewOf<T>(tensor);
  return {reinterpret_cast<Number<T>*>(elements.data), elements.size};
}

using RealsAndComplexes = TypeList<float, double, std::complex<float>, std::complex<double>>;

}  // namespace plumb::fast::GPU_NAMESPACE
