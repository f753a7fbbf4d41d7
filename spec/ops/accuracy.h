// How far a conforming implementation may be from the exact result: a closed set of classes (conformance, numerics).
#pragma once

namespace plumb {

enum class AccuracyClass {
  kExact,        // bit for bit: data movement, integers, comparisons, correctly rounded operations
  kUlps,         // within `ulps` units in the last place of the result, plus `scale_ulps` units of the largest
                 // intermediate (1 for Elu = exp(x) − 1, whose error near zero is half a unit of 1)
  kSummation,    // a sum of products: γₙ·Σ|aᵢ·bᵢ| for the n terms of each result, any order, tree or FMA
  kComposed,     // a formula of several steps: the running error bound of the reference's own formula
  kStatistical,  // random: judged by distribution unless the seed fixes the bits
};

struct Accuracy {
  AccuracyClass kind = AccuracyClass::kExact;
  double ulps = 0;
  double scale_ulps = 0;
};

constexpr Accuracy Exact() { return {}; }
constexpr Accuracy Ulps(double ulps, double scale_ulps = 0) { return {AccuracyClass::kUlps, ulps, scale_ulps}; }
constexpr Accuracy Summation() { return {AccuracyClass::kSummation, 1, 0}; }
// `ulps`: error of the worst elementary function in the formula.
constexpr Accuracy Composed(double ulps = 4) { return {AccuracyClass::kComposed, ulps, 0}; }
constexpr Accuracy Statistical() { return {AccuracyClass::kStatistical, 0, 0}; }

}  // namespace plumb
