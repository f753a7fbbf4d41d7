#include "tools/plot/page.h"

#include <cmath>
#include <cstdio>

#include "spec/core/status.h"

namespace plumb::tools {

Page::Page()
    : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, kWidth, kHeight), cairo_surface_destroy),
      context_(cairo_create(surface_.get()), cairo_destroy) {
  cairo_set_source_rgb(get(), 1, 1, 1);
  cairo_paint(get());
}

void Page::Write(const std::string& path) const {
  const cairo_status_t status = cairo_surface_write_to_png(surface_.get(), path.c_str());
  if (status != CAIRO_STATUS_SUCCESS) {
    throw Error(Code::kUnavailable,
                Str("the plot '", path, "' could not be written: ", cairo_status_to_string(status)));
  }
}

void Text(cairo_t* page, const std::string& text, double x, double y, double anchor) {
  cairo_text_extents_t size;
  cairo_text_extents(page, text.c_str(), &size);
  cairo_move_to(page, x - anchor * size.width, y);
  cairo_show_text(page, text.c_str());
  cairo_new_path(page);  // Or the next line would begin where the text ends.
}

std::string Label(double value) {
  char text[32];
  snprintf(text, sizeof(text), "%g", std::fabs(value) < 1e-12 ? 0 : value);
  return text;
}

double TickDistance(double range, int count) {
  const double raw = range / count, power = std::pow(10.0, std::floor(std::log10(raw))), lead = raw / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

}  // namespace plumb::tools
