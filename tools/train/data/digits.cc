#include "tools/train/data/digits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace plumb::tools {
namespace {

struct Point {
  double x, y;
};
using Stroke = std::vector<Point>;

constexpr double kDegree = M_PI / 180;

// Part of an ellipse, clockwise on the screen from angle `from` to `to` in degrees (0: right, 90: down).
Stroke Arc(Point center, Point radius, double from, double to) {
  constexpr int kPieces = 14;
  Stroke stroke;
  for (int i = 0; i <= kPieces; ++i) {
    const double angle = (from + (to - from) * i / kPieces) * kDegree;
    stroke.push_back({center.x + radius.x * std::cos(angle), center.y + radius.y * std::sin(angle)});
  }
  return stroke;
}

Stroke Join(Stroke first, const Stroke& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// A way to write a digit: its strokes in the unit square, y down.
using Glyph = std::vector<Stroke>;

// The ways to write each digit.
const std::array<std::vector<Glyph>, 10>& Glyphs() {
  static const Stroke kHook = Join(Arc({.50, .33}, {.25, .22}, 190, 400), {{.24, .88}});
  static const std::array<std::vector<Glyph>, 10> glyphs = {{
      {{Arc({.50, .50}, {.27, .40}, 0, 360)}, {Arc({.50, .50}, {.25, .40}, -70, 262)}},
      {{{{.36, .27}, {.53, .11}, {.53, .89}}},
       {{{.50, .10}, {.50, .90}}},
       {{{.36, .25}, {.52, .11}, {.52, .88}}, {{.34, .88}, {.70, .88}}}},
      {{Join(kHook, {{.77, .88}})}, {Join(kHook, Join(Arc({.36, .80}, {.13, .09}, 150, 380), {{.80, .90}}))}},
      {{Join(Arc({.46, .30}, {.25, .19}, 205, 450), Arc({.46, .69}, {.28, .20}, 270, 510))},
       {Join({{.25, .13}, {.73, .13}, {.47, .43}}, Arc({.46, .67}, {.27, .23}, 270, 510))}},
      {{{{.60, .11}, {.20, .62}, {.82, .62}}, {{.62, .34}, {.62, .89}}},
       {{{.28, .12}, {.24, .52}, {.72, .52}}, {{.70, .14}, {.64, .90}}}},
      {{Join({{.74, .12}, {.33, .12}, {.29, .46}}, Arc({.48, .64}, {.27, .24}, 225, 505))},
       {Join({{.33, .14}, {.30, .45}}, Arc({.46, .66}, {.26, .23}, 230, 490)), {{.33, .14}, {.76, .11}}}},
      {{Join({{.66, .12}, {.45, .25}, {.30, .46}}, Arc({.50, .67}, {.24, .21}, 190, 550))},
       {Join({{.42, .10}, {.30, .40}, {.29, .66}}, Arc({.47, .70}, {.19, .18}, 180, 540))}},
      {{{{.22, .13}, {.77, .13}, {.42, .89}}},
       {{{.22, .15}, {.76, .13}, {.46, .89}}, {{.36, .50}, {.70, .48}}},
       {Join({{.24, .24}, {.28, .14}}, {{.74, .15}, {.58, .45}, {.50, .90}})}},
      {{Arc({.50, .30}, {.20, .18}, 0, 360), Arc({.50, .68}, {.25, .21}, 0, 360)},
       {Join(Join(Arc({.50, .29}, {.21, .18}, -30, -270), Arc({.50, .68}, {.23, .21}, -90, 250)), {{.68, .20}})}},
      {{Join(Arc({.50, .33}, {.23, .21}, 0, 360), {{.72, .50}, {.58, .89}})},
       {Join(Arc({.48, .32}, {.22, .20}, 0, 360), Join({{.70, .60}}, Arc({.48, .68}, {.22, .20}, 20, 150)))},
       {Arc({.47, .32}, {.20, .20}, -20, 330), {{.68, .14}, {.67, .90}}}},
  }};
  return glyphs;
}

// Numbers from the generator by our own arithmetic: the standard distributions differ between libraries.
class Draw {
 public:
  explicit Draw(uint64_t seed) : generator_(seed) {}
  double Uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(generator_() >> 11) * 0x1p-53;
  }
  int Below(size_t count) { return static_cast<int>(generator_() % count); }
  // Roughly normal: the sum of four uniforms, scaled to unit variance.
  double Normal() { return (Uniform(-1, 1) + Uniform(-1, 1) + Uniform(-1, 1) + Uniform(-1, 1)) * std::sqrt(0.75); }

 private:
  std::mt19937_64 generator_;
};

// A smooth field that bends the unit square: waves of random direction, length and phase.
class Bending {
 public:
  Bending(Draw& draw, double most) {
    for (Wave& wave : waves_) {
      const double direction = draw.Uniform(0, 2 * M_PI), turns = draw.Uniform(0.3, 1.6) * 2 * M_PI;
      wave = {turns * std::cos(direction),
              turns * std::sin(direction),
              draw.Uniform(0, 2 * M_PI),
              {draw.Uniform(-most, most), draw.Uniform(-most, most)}};
    }
  }
  Point operator()(Point p) const {
    Point bent = p;
    for (const Wave& wave : waves_) {
      const double height = std::sin(wave.x * p.x + wave.y * p.y + wave.phase);
      bent = {bent.x + wave.by.x * height, bent.y + wave.by.y * height};
    }
    return bent;
  }

 private:
  struct Wave {
    double x, y, phase;
    Point by;
  };
  std::array<Wave, 3> waves_;
};

// A writer's hand: rotation, shear, size, position and bends, applied to points of the unit square; the result is in
// pixels.
class Hand {
 public:
  Hand(Draw& draw, bool hurries)
      : angle_(draw.Uniform(-kMostTurn, kMostTurn) * kDegree),
        shear_(draw.Uniform(-kMostShear, kMostShear)),
        width_(draw.Uniform(14, 23)),
        height_(draw.Uniform(17, 24)),
        center_{draw.Uniform(12.5, 14.5), draw.Uniform(12.5, 14.5)},
        bending_(draw, hurries ? 3 * kMostBend : kMostBend) {}

  Point operator()(Point p) const {
    const Point bent = bending_(p);
    const double x = (bent.x - 0.5 - shear_ * (bent.y - 0.5)) * width_, y = (bent.y - 0.5) * height_;
    return {center_.x + x * std::cos(angle_) - y * std::sin(angle_),
            center_.y + x * std::sin(angle_) + y * std::cos(angle_)};
  }

 private:
  static constexpr double kMostTurn = 15, kMostShear = 0.3, kMostBend = 0.04;
  double angle_, shear_, width_, height_;
  Point center_;
  Bending bending_;
};

// The stroke as the hand places it beside the others: shifted, turned and scaled a little around its middle.
Stroke Placed(Draw& draw, Stroke stroke, bool hurries) {
  constexpr double kMostTurn = 8, kMostScale = 0.12;
  const double most_shift = hurries ? 0.1 : 0.04;
  const Point shift = {draw.Uniform(-most_shift, most_shift), draw.Uniform(-most_shift, most_shift)};
  const double angle = draw.Uniform(-kMostTurn, kMostTurn) * kDegree;
  const double scale = 1 + draw.Uniform(-kMostScale, kMostScale);
  Point middle = {0, 0};
  for (const Point& p : stroke) middle = {middle.x + p.x / stroke.size(), middle.y + p.y / stroke.size()};
  for (Point& p : stroke) {
    const double x = (p.x - middle.x) * scale, y = (p.y - middle.y) * scale;
    p = {middle.x + shift.x + x * std::cos(angle) - y * std::sin(angle),
         middle.y + shift.y + x * std::sin(angle) + y * std::cos(angle)};
  }
  return stroke;
}

double DistanceToSegment(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double length2 = dx * dx + dy * dy;
  const double t = length2 == 0 ? 0 : std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0, 1.0);
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

// Lowers `distance`, per pixel, to that of the segment; only pixels within `reach` of it are visited.
void Trace(std::array<double, kDigitSide * kDigitSide>& distance, Point a, Point b, double reach) {
  const auto clip = [](double value) { return std::clamp(static_cast<int>(value), 0, kDigitSide - 1); };
  for (int y = clip(std::min(a.y, b.y) - reach); y <= clip(std::max(a.y, b.y) + reach + 1); ++y) {
    for (int x = clip(std::min(a.x, b.x) - reach); x <= clip(std::max(a.x, b.x) + reach + 1); ++x) {
      double& nearest = distance[y * kDigitSide + x];
      nearest = std::min(nearest, DistanceToSegment({double(x), double(y)}, a, b));
    }
  }
}

void RenderOne(Draw& draw, int digit, uint8_t* pixels) {
  constexpr size_t kOfHands = 18;  // one hurries: nobody reads all of its digits
  const bool hurries = draw.Below(kOfHands) == 0;
  const Hand hand(draw, hurries);
  const double pen = draw.Uniform(0.6, 1.7), softness = draw.Uniform(0.6, 1.0), ink = draw.Uniform(180, 255);
  const double noise = draw.Uniform(2, 16);
  std::array<double, kDigitSide * kDigitSide> distance;
  distance.fill(kDigitSide);
  const std::vector<Glyph>& ways = Glyphs()[digit];
  for (const Stroke& written : ways[draw.Below(ways.size())]) {
    const Stroke stroke = Placed(draw, written, hurries);
    for (size_t i = 0; i + 1 < stroke.size(); ++i) {
      Trace(distance, hand(stroke[i]), hand(stroke[i + 1]), pen + softness);
    }
  }
  for (size_t i = 0; i < distance.size(); ++i) {
    const double coverage = std::clamp((pen + softness - distance[i]) / softness, 0.0, 1.0);
    pixels[i] = static_cast<uint8_t>(std::clamp(ink * coverage + noise * draw.Normal(), 0.0, 255.0));
  }
}

}  // namespace

DigitImages RenderDigits(int64_t count, uint64_t seed) {
  Draw draw(seed);
  DigitImages images;
  images.pixels.resize(static_cast<size_t>(count) * kDigitSide * kDigitSide);
  images.labels.resize(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    images.labels[i] = static_cast<uint8_t>(draw.Below(10));
    RenderOne(draw, images.labels[i], images.pixels.data() + i * kDigitSide * kDigitSide);
  }
  return images;
}

}  // namespace plumb::tools
