// Colours of pixels as numbers with bounds.
#pragma once

#include <array>

#include "reference/numbers/element.h"

namespace plumb::reference {

using Pixel = std::array<Real, 3>;

// a − b, which may overflow on the way to a result that does not.
inline Real Difference(Real a, Real b) {
  Real difference = a - b;
  const bool finite = std::isfinite(a.v) && std::isfinite(b.v);
  if (finite && std::fabs(difference.v) + difference.e > arithmetic.largest) difference.e = INFINITY;
  return difference;
}

inline Real Largest(const Pixel& p) { return Max(Max(p[0], p[1]), p[2]); }
inline Real Smallest(const Pixel& p) { return Min(Min(p[0], p[1]), p[2]); }

// Where the hue of a pixel is on the colour circle of six parts: red at 0, green at 2, blue at 4; 0 for grey. Between
// −1 and 5. The bound says nothing where the pixel may as well be grey.
inline Real CirclePlace(const Pixel& p, Real largest, Real range) {
  if (!(range.v > 0)) return {0, range.e > 0 ? INFINITY : 0, 0};
  if (p[0].v == largest.v) return Difference(p[1], p[2]) / range;
  if (p[1].v == largest.v) return Difference(p[2], p[0]) / range + Real(2);
  return Difference(p[0], p[1]) / range + Real(4);
}

// A hue, or a place on the circle, for which the inverse of six times the range may as well be multiplied by the
// difference of two channels, and sixths added that are rounded.
inline Real ByInverseOfRange(Real hue, Real range) {
  hue.e += 8 * arithmetic.unit * std::fabs(hue.v);
  if (range.v > 0 && (1 / range.v > arithmetic.largest || 6 * range.v > arithmetic.largest)) hue.e = INFINITY;
  return hue;
}

// How much of the range each channel has at a place on the circle, from 0 to 1.
inline Pixel SharesAt(Real place) {
  const auto limited = [](Real x) {
    Real share = Min(Max(x, Real(0)), Real(1));
    if (std::isfinite(share.e)) share.e = std::min(share.e, 1.0);
    return share;
  };
  return {limited(Abs(place - Real(3)) - Real(1)), limited(Real(2) - Abs(place - Real(2))),
          limited(Real(2) - Abs(place - Real(4)))};
}

}  // namespace plumb::reference
