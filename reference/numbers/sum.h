// Sums and products of many terms, whose order an implementation may choose.
#pragma once

#include <bit>
#include <vector>

#include "reference/numbers/number.h"

namespace plumb::reference {

// N16: whether so many different terms meet in a sum that its rounding errors are as good as independent.
class Entropy {
 public:
  void Add(double term) {
    const auto hash = static_cast<uint16_t>(std::bit_cast<uint64_t>(term) * 0x9e3779b97f4a7c15 >> (64 - kHashBits));
    if (is_set_) {
      Mark(hash);
    } else {
      if (hashes_.empty()) hashes_.reserve(kFewTerms);
      hashes_.push_back(hash);
      if (hashes_.size() == kEnough) MakeSet();
    }
  }
  // Of `count` terms. Those that share a hash count as one, so that a sum is called low rather than high.
  bool IsHigh(int64_t count) const { return different_ >= kEnough && 2 * different_ >= count; }

 private:
  static constexpr int kHashBits = 13;
  static constexpr int64_t kEnough = 256;
  static constexpr size_t kFewTerms = 16;  // most sums are short, and there are many of them

  void MakeSet() {
    const std::vector<uint16_t> first = std::move(hashes_);
    hashes_.assign((1 << kHashBits) / 16, 0);
    is_set_ = true;
    for (const uint16_t hash : first) Mark(hash);
  }
  void Mark(uint16_t hash) {
    uint16_t& word = hashes_[hash / 16];
    const auto bit = static_cast<uint16_t>(1u << hash % 16);
    different_ += (word & bit) == 0;
    word |= bit;
  }

  std::vector<uint16_t> hashes_;  // of the first terms, one by one; of more than those, a bit per hash
  int64_t different_ = 0;         // bits that are set
  bool is_set_ = false;
};
// N16: how many times √n·u·Σ|terms| the error of such a sum may be.
constexpr double kSharpSpreads = 6;

// A sum whose order an implementation may choose: the bound γₙ·Σ|terms| holds for every order, tree and use of FMA
// (N3), and where it is wanted the sharp limit (N16). Terms are added exactly as far as double allows.
class Sum {
 public:
  void Add(Real term) {
    const double size = std::fabs(term.v);
    v_ += term.v;
    e_ += term.e;
    d_ += term.d;
    magnitude_ += size <= std::numeric_limits<double>::max() ? size : 0;
    ++count_;
    if (arithmetic.sharp) entropy_.Add(term.v);
  }
  // A product term a·b: rounds once more than a plain term.
  void AddProduct(Real a, Real b) {
    const double a_e = a.e + FlushOf(a.v), b_e = b.e + FlushOf(b.v);
    Add({a.v * b.v, std::fabs(a.v) * b_e + std::fabs(b.v) * a_e + a_e * b_e, a.d * b.v + a.v * b.d});
    rounded_terms_ = 1;
  }
  Real Result() const {
    // In some order the finite terms may overflow on the way.
    if (count_ > 1 && magnitude_ + e_ > arithmetic.largest) return {v_, INFINITY, d_};
    if (!std::isfinite(v_)) return {v_, e_ == INFINITY ? INFINITY : 0, d_};
    const double e = e_ + (magnitude_ == 0 ? 0 : RelativeLimit() * (magnitude_ + e_));
    return {v_, std::isnan(e) ? INFINITY : e, d_};
  }

 private:
  // N6: what a factor below the smallest normal number loses where it is taken for zero.
  static double FlushOf(double v) { return std::fabs(v) < arithmetic.tiny ? std::fabs(v) : 0; }
  // Of the sum's own rounding, over Σ|terms|; and of ours, in double.
  double RelativeLimit() const {
    const double roundings = static_cast<double>(count_ > 0 ? count_ - 1 + rounded_terms_ : 0);
    const double nu = roundings * arithmetic.unit;
    const double gamma = nu < 1 ? nu / (1 - nu) : INFINITY;
    const double sharp = kSharpSpreads * std::sqrt(static_cast<double>(count_)) * arithmetic.unit;
    if (arithmetic.sharp && sharp < gamma && entropy_.IsHigh(count_)) {
      arithmetic.sharpened = true;
      return sharp;
    }
    return gamma + 0x1p-53 * roundings + (rounded_terms_ == 0 ? 0 : arithmetic.product_unit);
  }

  double v_ = 0, e_ = 0, d_ = 0, magnitude_ = 0;  // magnitude: of the finite terms
  int64_t count_ = 0, rounded_terms_ = 0;
  Entropy entropy_;
};

// A sum of complex products: each part is a sum of real ones.
class ComplexSum {
 public:
  void Add(Complex term) {
    re_.Add(term.re);
    im_.Add(term.im);
  }
  void AddProduct(Complex a, Complex b) {
    re_.AddProduct(a.re, b.re);
    re_.AddProduct(-a.im, b.im);
    im_.AddProduct(a.re, b.im);
    im_.AddProduct(a.im, b.re);
  }
  Complex Result() const { return {re_.Result(), im_.Result()}; }

 private:
  Sum re_, im_;
};
// A sum of whole numbers has no rounding.
class IntegerSum {
 public:
  void Add(Integer term) { sum_ += term; }
  void AddProduct(Integer a, Integer b) { sum_ += a * b; }
  Integer Result() const { return sum_; }

 private:
  Integer sum_;
};
template <class N>
struct SumTypeOf;
template <>
struct SumTypeOf<Real> {
  using Type = Sum;
};
template <>
struct SumTypeOf<Complex> {
  using Type = ComplexSum;
};
template <>
struct SumTypeOf<Integer> {
  using Type = IntegerSum;
};
template <class N>
using SumOf = typename SumTypeOf<N>::Type;

inline double Size(Real x) { return std::fabs(x.v) + x.e; }
inline double Size(Complex x) { return std::hypot(x.re.v, x.im.v) + x.re.e + x.im.e; }
inline void Widen(Real& x, double error) { x.e += std::isfinite(x.v) || error == INFINITY ? error : 0; }
inline void Widen(Complex& x, double error) {
  Widen(x.re, error);
  Widen(x.im, error);
}

// A product of real or complex numbers, whose order an implementation may choose: in some order it may overflow on the
// way, or vanish.
template <class N>
class Product {
 public:
  void Multiply(N factor) {
    product_ = product_ * factor;
    const double size = Size(factor);
    if (size > 1 && size <= std::numeric_limits<double>::max()) growth_ *= size;
    if (size < 1 && size > 0) decay_ *= size;
    infinite_ = infinite_ || size == INFINITY;
    ++count_;
  }
  N Result() const {
    N result = product_;
    if (count_ < 3) return result;
    const bool may_vanish = decay_ < arithmetic.tiny;
    if (may_vanish) Widen(result, Size(result));
    if (growth_ > arithmetic.largest || (may_vanish && infinite_)) Widen(result, INFINITY);
    return result;
  }

 private:
  N product_ = N(1);
  double growth_ = 1, decay_ = 1;  // products of the finite factors above and below one
  bool infinite_ = false;
  int64_t count_ = 0;
};
// A product of whole numbers has no rounding.
template <>
class Product<Integer> {
 public:
  void Multiply(Integer factor) { product_ = product_ * factor; }
  Integer Result() const { return product_; }

 private:
  Integer product_ = 1;
};

}  // namespace plumb::reference
