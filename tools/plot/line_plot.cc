#include "tools/plot/line_plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/plot/page.h"

namespace plumb::tools {
namespace {

constexpr double kWidth = Page::kWidth, kHeight = Page::kHeight;
constexpr double kLeft = 80, kRight = 190, kTop = 48, kBottom = 56;
constexpr std::array<std::array<double, 3>, 6> kColours = {{{0.10, 0.35, 0.70},
                                                            {0.80, 0.42, 0.05},
                                                            {0.15, 0.55, 0.25},
                                                            {0.65, 0.15, 0.35},
                                                            {0.40, 0.30, 0.65},
                                                            {0.35, 0.35, 0.35}}};

// From values to pixels.
class Axis {
 public:
  Axis(std::vector<double> values, bool is_log, double from, double to) : is_log_(is_log), from_(from), to_(to) {
    for (double& value : values) value = At(value);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    low_ = values.empty() ? 0 : *low;
    high_ = values.empty() || *high == *low ? low_ + 1 : *high;
    const double room = 0.04 * (high_ - low_);
    low_ -= room;
    high_ += room;
  }

  double operator()(double value) const { return from_ + (At(value) - low_) / (high_ - low_) * (to_ - from_); }

  // Values with a mark: 1, 2 and 5 times powers of ten, or round distances.
  std::vector<double> Ticks() const {
    std::vector<double> ticks;
    if (is_log_) {
      for (double power = std::floor(low_); power <= high_; ++power) {
        for (const double lead : {1, 2, 5}) ticks.push_back(lead * std::pow(10, power));
      }
    } else {
      const double distance = TickDistance(high_ - low_, 6);
      for (double tick = std::ceil(low_ / distance) * distance; tick <= high_; tick += distance) ticks.push_back(tick);
    }
    std::erase_if(ticks, [this](double tick) { return At(tick) < low_ || At(tick) > high_; });
    return ticks;
  }

 private:
  double At(double value) const { return is_log_ ? std::log10(value) : value; }

  bool is_log_;
  double from_, to_, low_ = 0, high_ = 1;
};

void DrawAxes(cairo_t* page, const LinePlot& plot, const Axis& x, const Axis& y) {
  cairo_set_font_size(page, 13);
  cairo_set_line_width(page, 1);
  for (const double tick : y.Ticks()) {
    cairo_set_source_rgb(page, 0.88, 0.88, 0.88);
    cairo_move_to(page, kLeft, y(tick));
    cairo_line_to(page, kWidth - kRight, y(tick));
    cairo_stroke(page);
    cairo_set_source_rgb(page, 0.35, 0.35, 0.35);
    Text(page, Label(tick), kLeft - 8, y(tick) + 4, 1);
  }
  for (const double tick : x.Ticks()) Text(page, Label(tick), x(tick), kHeight - kBottom + 20, 0.5);
  Text(page, plot.x_label, (kLeft + kWidth - kRight) / 2, kHeight - 12, 0.5);
  Text(page, plot.y_label, 12, kTop - 12, 0);
  cairo_set_source_rgb(page, 0.1, 0.1, 0.1);
  cairo_set_font_size(page, 17);
  Text(page, plot.title, kWidth / 2, 24, 0.5);
}

// Names stand one below the other, at the height of their lines where there is room.
void DrawNames(cairo_t* page, const LinePlot& plot, const Axis& y) {
  std::vector<std::pair<double, size_t>> ends;
  for (size_t i = 0; i < plot.lines.size(); ++i) {
    if (!plot.lines[i].ys.empty()) ends.emplace_back(y(plot.lines[i].ys.back()), i);
  }
  std::sort(ends.begin(), ends.end());
  double free = 0;
  cairo_set_font_size(page, 13);
  for (const auto& [height, i] : ends) {
    const double at = std::max(height, free);
    free = at + 16;
    const auto& colour = kColours[i % kColours.size()];
    cairo_set_source_rgb(page, colour[0], colour[1], colour[2]);
    Text(page, plot.lines[i].name, kWidth - kRight + 8, at + 4, 0);
  }
}

void DrawLine(cairo_t* page, const Line& line, const Axis& x, const Axis& y) {
  constexpr double kDashes[] = {6, 4};
  for (size_t i = 0; i < line.ys.size(); ++i) cairo_line_to(page, x(line.xs[i]), y(line.ys[i]));
  cairo_set_dash(page, kDashes, line.is_dashed ? 2 : 0, 0);
  cairo_set_line_width(page, 2.2);
  cairo_stroke(page);
  cairo_set_dash(page, kDashes, 0, 0);
  for (size_t i = 0; i < line.ys.size(); ++i) {
    cairo_arc(page, x(line.xs[i]), y(line.ys[i]), 3.5, 0, 2 * M_PI);
    cairo_fill(page);
  }
}

}  // namespace

void WriteLinePlot(const LinePlot& plot, const std::string& path) {
  const Page sheet;
  cairo_t* const page = sheet.get();
  std::vector<double> xs, ys;
  for (const Line& line : plot.lines) {
    xs.insert(xs.end(), line.xs.begin(), line.xs.end());
    ys.insert(ys.end(), line.ys.begin(), line.ys.end());
  }
  const Axis x(xs, plot.is_log_x, kLeft, kWidth - kRight), y(ys, plot.is_log_y, kHeight - kBottom, kTop);
  DrawAxes(page, plot, x, y);
  for (size_t i = 0; i < plot.lines.size(); ++i) {
    const auto& colour = kColours[i % kColours.size()];
    cairo_set_source_rgb(page, colour[0], colour[1], colour[2]);
    DrawLine(page, plot.lines[i], x, y);
  }
  DrawNames(page, plot, y);
  sheet.Write(path);
}

}  // namespace plumb::tools
