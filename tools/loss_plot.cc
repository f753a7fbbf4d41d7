#include "tools/loss_plot.h"

#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "spec/core/status.h"

namespace plumb::tools {
namespace {

constexpr int kWidth = 960, kHeight = 540;
constexpr double kLeft = 70, kRight = 24, kTop = 48, kBottom = 52;

// Linear map of [low, high] onto a stretch of pixels.
struct Axis {
  double low, high, from, to;
  double operator()(double value) const { return from + (value - low) / (high - low) * (to - from); }
  // A round distance between about `count` ticks: 1, 2 or 5 times a power of ten.
  double Tick(int count) const {
    const double raw = (high - low) / count;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const double lead = raw / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
  }
};

std::string Label(double value) {
  char text[32];
  snprintf(text, sizeof(text), "%g", std::fabs(value) < 1e-12 ? 0 : value);
  return text;
}

void Text(cairo_t* page, const std::string& text, double x, double y, double anchor) {
  cairo_text_extents_t size;
  cairo_text_extents(page, text.c_str(), &size);
  cairo_move_to(page, x - anchor * size.width, y);
  cairo_show_text(page, text.c_str());
  cairo_new_path(page);  // Or the next line would begin where the text ends.
}

void DrawAxes(cairo_t* page, const Axis& x, const Axis& y) {
  cairo_set_font_size(page, 13);
  cairo_set_line_width(page, 1);
  const double dx = x.Tick(8), dy = y.Tick(6);
  for (double tick = std::ceil(x.low / dx) * dx; tick <= x.high; tick += dx) {
    cairo_set_source_rgb(page, 0.35, 0.35, 0.35);
    Text(page, Label(tick), x(tick), kHeight - kBottom + 20, 0.5);
  }
  for (double tick = std::ceil(y.low / dy) * dy; tick <= y.high; tick += dy) {
    cairo_set_source_rgb(page, 0.88, 0.88, 0.88);
    cairo_move_to(page, kLeft, y(tick));
    cairo_line_to(page, kWidth - kRight, y(tick));
    cairo_stroke(page);
    cairo_set_source_rgb(page, 0.35, 0.35, 0.35);
    Text(page, Label(tick), kLeft - 8, y(tick) + 4, 1);
  }
  Text(page, "step", (kLeft + kWidth - kRight) / 2, kHeight - 12, 0.5);
}

void DrawLine(cairo_t* page, const std::vector<double>& xs, const std::vector<double>& ys, const Axis& x,
              const Axis& y) {
  for (size_t i = 0; i < ys.size(); ++i) {
    if (std::isfinite(ys[i])) cairo_line_to(page, x(xs[i]), y(std::clamp(ys[i], y.low, y.high)));
  }
  cairo_stroke(page);
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

Axis VerticalAxis(const std::vector<double>& losses) {
  double high = 0;
  for (const double loss : losses) {
    if (std::isfinite(loss)) high = std::max(high, loss);
  }
  return {0, high > 0 ? high * 1.05 : 1, kHeight - kBottom, kTop};
}

}  // namespace

void WriteLossPlot(const LossCurve& curve, const std::string& path) {
  const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, kWidth, kHeight), cairo_surface_destroy);
  const std::unique_ptr<cairo_t, void (*)(cairo_t*)> page(cairo_create(surface.get()), cairo_destroy);
  cairo_set_source_rgb(page.get(), 1, 1, 1);
  cairo_paint(page.get());
  const double last = curve.steps.empty() ? 1 : std::max(curve.steps.back(), curve.steps.front() + 1);
  const Axis x{curve.steps.empty() ? 0 : curve.steps.front(), last, kLeft, kWidth - kRight};
  const Axis y = VerticalAxis(curve.losses);
  DrawAxes(page.get(), x, y);
  cairo_set_source_rgb(page.get(), 0.65, 0.78, 0.92);
  DrawLine(page.get(), curve.steps, curve.losses, x, y);
  cairo_set_source_rgb(page.get(), 0.10, 0.35, 0.70);
  cairo_set_line_width(page.get(), 2.2);
  DrawLine(page.get(), curve.steps, RunningMean(curve.losses), x, y);
  cairo_set_source_rgb(page.get(), 0.1, 0.1, 0.1);
  cairo_set_font_size(page.get(), 17);
  Text(page.get(), curve.title, kLeft, 30, 0);
  const cairo_status_t status = cairo_surface_write_to_png(surface.get(), path.c_str());
  if (status != CAIRO_STATUS_SUCCESS) {
    throw Error(Code::kUnavailable,
                Str("the plot '", path, "' could not be written: ", cairo_status_to_string(status)));
  }
}

}  // namespace plumb::tools
