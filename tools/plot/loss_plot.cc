#include "tools/plot/loss_plot.h"

#include <algorithm>
#include <cmath>

#include "tools/plot/page.h"

namespace plumb::tools {
namespace {

constexpr int kWidth = Page::kWidth, kHeight = Page::kHeight;
constexpr double kLeft = 70, kRight = 70, kTop = 48, kBottom = 52;

// Linear map of [low, high] onto a stretch of pixels.
struct Axis {
  double low, high, from, to;
  double operator()(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

void DrawSteps(cairo_t* page, const Axis& x) {
  cairo_set_font_size(page, 13);
  cairo_set_source_rgb(page, 0.35, 0.35, 0.35);
  const double dx = TickDistance(x.high - x.low, 8);
  for (double tick = std::ceil(x.low / dx) * dx; tick <= x.high; tick += dx) {
    Text(page, Label(tick), x(tick), kHeight - kBottom + 20, 0.5);
  }
  Text(page, "step", (kLeft + kWidth - kRight) / 2, kHeight - 12, 0.5);
}

// The axis at the left counts powers of ten; 1, 2 and 5 times each of them have a line.
void DrawLosses(cairo_t* page, const Axis& y) {
  cairo_set_line_width(page, 1);
  for (double power = std::floor(y.low); power <= y.high; ++power) {
    for (const double lead : {1, 2, 5}) {
      const double tick = power + std::log10(lead);
      if (tick < y.low || tick > y.high) continue;
      cairo_set_source_rgb(page, 0.88, 0.88, 0.88);
      cairo_move_to(page, kLeft, y(tick));
      cairo_line_to(page, kWidth - kRight, y(tick));
      cairo_stroke(page);
      cairo_set_source_rgb(page, 0.10, 0.35, 0.70);
      Text(page, Label(lead * std::pow(10, power)), kLeft - 8, y(tick) + 4, 1);
    }
  }
}

void DrawLine(cairo_t* page, const std::vector<double>& xs, const std::vector<double>& ys, const Axis& x,
              const Axis& y) {
  for (size_t i = 0; i < ys.size(); ++i) {
    if (std::isfinite(ys[i])) cairo_line_to(page, x(xs[i]), y(std::clamp(ys[i], y.low, y.high)));
  }
  cairo_stroke(page);
}

// At the right, in percent.
void DrawAccuracy(cairo_t* page, const LossCurve& curve, const Axis& x) {
  if (curve.accuracies.empty()) return;
  std::vector<double> percent;
  for (const double accuracy : curve.accuracies) percent.push_back(100 * accuracy);
  const double lowest = *std::min_element(percent.begin(), percent.end());
  const Axis y{std::min(99.0, std::floor(lowest)), 100, kHeight - kBottom, kTop};
  cairo_set_source_rgb(page, 0.80, 0.42, 0.05);
  const double dy = TickDistance(y.high - y.low, 6);
  for (double tick = std::ceil(y.low / dy) * dy; tick <= y.high; tick += dy) {
    Text(page, Label(tick) + " %", kWidth - kRight + 8, y(tick) + 4, 0);
  }
  cairo_set_line_width(page, 2);
  DrawLine(page, curve.tested_steps, percent, x, y);
  for (size_t i = 0; i < percent.size(); ++i) {
    cairo_arc(page, x(curve.tested_steps[i]), y(percent[i]), 3.5, 0, 2 * M_PI);
    cairo_fill(page);
  }
  Text(page, "test accuracy", kWidth - kRight, 30, 1);
}

// Exponential running mean with a memory of about a fiftieth of the curve.
std::vector<double> RunningMean(const std::vector<double>& values) {
  std::vector<double> means;
  const double keep = 1 - 1 / std::max(1.0, static_cast<double>(values.size()) / 50);
  double mean = 0, weight = 0;
  for (const double value : values) {
    if (std::isfinite(value)) {
      mean = keep * mean + (1 - keep) * value;
      weight = keep * weight + (1 - keep);
    }
    means.push_back(weight > 0 ? mean / weight : value);
  }
  return means;
}

// Of base ten; NaN where there is none.
std::vector<double> Logarithms(const std::vector<double>& values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(value > 0 ? std::log10(value) : NAN);
  return logs;
}

// From the lowest to the highest mean, with what lies above; a decade where that is nothing.
Axis VerticalAxis(const std::vector<double>& logs, const std::vector<double>& means) {
  constexpr double kRoom = 0.05;
  double low = INFINITY, high = -INFINITY;
  for (const double log : logs) {
    if (std::isfinite(log)) high = std::max(high, log);
  }
  for (const double mean : means) {
    if (std::isfinite(mean)) low = std::min(low, mean);
  }
  if (!(low < high)) return {-1, 0, kHeight - kBottom, kTop};
  return {low - 4 * kRoom * (high - low), high + kRoom * (high - low), kHeight - kBottom, kTop};
}

}  // namespace

void WriteLossPlot(const LossCurve& curve, const std::string& path) {
  const Page sheet;
  cairo_t* const page = sheet.get();
  const double last = curve.steps.empty() ? 1 : std::max(curve.steps.back(), curve.steps.front() + 1);
  const Axis x{curve.steps.empty() ? 0 : curve.steps.front(), last, kLeft, kWidth - kRight};
  const std::vector<double> logs = Logarithms(curve.losses), means = Logarithms(RunningMean(curve.losses));
  const Axis y = VerticalAxis(logs, means);
  DrawSteps(page, x);
  DrawLosses(page, y);
  cairo_set_source_rgb(page, 0.65, 0.78, 0.92);
  DrawLine(page, curve.steps, logs, x, y);
  cairo_set_source_rgb(page, 0.10, 0.35, 0.70);
  cairo_set_line_width(page, 2.2);
  DrawLine(page, curve.steps, means, x, y);
  DrawAccuracy(page, curve, x);
  cairo_set_source_rgb(page, 0.1, 0.1, 0.1);
  cairo_set_font_size(page, 17);
  Text(page, curve.title, kLeft, 30, 0);
  sheet.Write(path);
}

}  // namespace plumb::tools
