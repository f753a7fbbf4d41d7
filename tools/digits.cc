#include "tools/digits.h"

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

// The strokes of each digit in the unit square, y down.
const std::array<std::vector<Stroke>, 10>& Glyphs() {
  static const std::array<std::vector<Stroke>, 10> glyphs = {{
      {Arc({.50, .50}, {.27, .40}, 0, 360)},
      {{{.36, .27}, {.53, .11}, {.53, .89}}},
      {Join(Arc({.50, .33}, {.25, .22}, 190, 400), {{.24, .88}, {.77, .88}})},
      {Join(Arc({.46, .30}, {.25, .19}, 205, 450), Arc({.46, .69}, {.28, .20}, 270, 510))},
      {{{.60, .11}, {.20, .62}, {.82, .62}}, {{.62, .34}, {.62, .89}}},
      {Join({{.74, .12}, {.33, .12}, {.29, .46}}, Arc({.48, .64}, {.27, .24}, 225, 505))},
      {Join({{.66, .12}, {.45, .25}, {.30, .46}}, Arc({.50, .67}, {.24, .21}, 190, 550))},
      {{{.22, .13}, {.77, .13}, {.42, .89}}},
      {Arc({.50, .30}, {.20, .18}, 0, 360), Arc({.50, .68}, {.25, .21}, 0, 360)},
      {Join(Arc({.50, .33}, {.23, .21}, 0, 360), {{.72, .50}, {.58, .89}})},
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
  int Digit() { return static_cast<int>(generator_() % 10); }
  // Roughly normal: the sum of four uniforms, scaled to unit variance.
  double Normal() { return (Uniform(-1, 1) + Uniform(-1, 1) + Uniform(-1, 1) + Uniform(-1, 1)) * std::sqrt(0.75); }

 private:
  std::mt19937_64 generator_;
};

// A writer's hand: rotation, shear, size, position and a slow wobble, applied to points of the unit square; the result
// is in pixels.
class Hand {
 public:
  explicit Hand(Draw& draw)
      : angle_(draw.Uniform(-14, 14) * kDegree),
        shear_(draw.Uniform(-0.25, 0.25)),
        width_(draw.Uniform(17, 23)),
        height_(draw.Uniform(19, 24)),
        center_{draw.Uniform(12.5, 14.5), draw.Uniform(12.5, 14.5)},
        wobble_(draw.Uniform(0, 0.035)),
        phase_{draw.Uniform(0, 2 * M_PI), draw.Uniform(0, 2 * M_PI)},
        pitch_{draw.Uniform(3, 8), draw.Uniform(3, 8)} {}

  Point operator()(Point p) const {
    const double bent_x = p.x + wobble_ * std::sin(pitch_.x * p.y + phase_.x) - 0.5;
    const double bent_y = p.y + wobble_ * std::sin(pitch_.y * p.x + phase_.y) - 0.5;
    const double x = (bent_x - shear_ * bent_y) * width_, y = bent_y * height_;
    return {center_.x + x * std::cos(angle_) - y * std::sin(angle_),
            center_.y + x * std::sin(angle_) + y * std::cos(angle_)};
  }

 private:
  double angle_, shear_, width_, height_;
  Point center_;
  double wobble_;
  Point phase_, pitch_;
};

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
  const Hand hand(draw);
  const double pen = draw.Uniform(0.8, 1.5), softness = draw.Uniform(0.6, 1.0), ink = draw.Uniform(200, 255);
  const double noise = draw.Uniform(2, 14);
  std::array<double, kDigitSide * kDigitSide> distance;
  distance.fill(kDigitSide);
  for (const Stroke& stroke : Glyphs()[digit]) {
    for (size_t i = 0; i + 1 < stroke.size(); ++i)
      Trace(distance, hand(stroke[i]), hand(stroke[i + 1]), pen + softness);
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
    images.labels[i] = static_cast<uint8_t>(draw.Digit());
    RenderOne(draw, images.labels[i], images.pixels.data() + i * kDigitSide * kDigitSide);
  }
  return images;
}

}  // namespace plumb::tools
