// How far a conforming implementation may be from the exact result: a closed set of classes (conformance, numerics).
#pragma once

#include "spec/core/dtype.h"

namespace plumb {

enum class AccuracyClass {
  kExact,        // bit for bit: data movement, integers, comparisons, correctly rounded operations
  kUlps,         // within `ulps` units in the last place of the result, plus `scale_ulps` units of the largest
                 // intermediate (1 for Elu = exp(x) − 1, whose error near zero is half a unit of 1)
  kSummation,    // a sum of products: γₙ·Σ|aᵢ·bᵢ| for the n terms of each result, any order, tree or FMA
  kComposed,     // a formula of several steps: the running error bound of the reference's own formula
  kStatistical,  // random: judged by distribution; where the seed fixes the stream, as kComposed with `ulps` (0: bits)
};

struct Accuracy {
  AccuracyClass kind = AccuracyClass::kExact;
  double ulps = 0;
  double scale_ulps = 0;
  bool only_real = false;    // complex numbers are judged as kComposed: their parts are sums of products
  double narrow_ulps = 0.5;  // of an elementary function in float16 and bfloat16, in units of theirs: it is computed in
                             // float32, within `ulps`, and rounded once, if it is not composed of narrow steps

  // The class for results of this element type.
  Accuracy For(DType type) const {
    const bool composed = IsComplex(type) && (only_real || kind == AccuracyClass::kUlps);
    return composed ? Accuracy{AccuracyClass::kComposed, ulps > 0 ? ulps : 1} : *this;
  }
};

constexpr Accuracy Exact() { return {}; }
constexpr Accuracy ExactIfReal() { return {AccuracyClass::kExact, 0, 0, true}; }
constexpr Accuracy Ulps(double ulps, double scale_ulps = 0, double narrow_ulps = 0.5) {
  return {AccuracyClass::kUlps, ulps, scale_ulps, false, narrow_ulps};
}
constexpr Accuracy Summation() { return {AccuracyClass::kSummation, 1, 0}; }
// `ulps`: error of the worst elementary function in the formula.
constexpr Accuracy Composed(double ulps = 4) { return {AccuracyClass::kComposed, ulps, 0}; }
constexpr Accuracy Statistical(double ulps = 0) { return {AccuracyClass::kStatistical, ulps, 0}; }

}  // namespace plumb
