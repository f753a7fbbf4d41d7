// A white page of 960 × 540 pixels, drawn on with cairo and written as a PNG.
#pragma once

#include <cairo.h>

#include <memory>
#include <string>

namespace plumb::tools {

class Page {
 public:
  static constexpr int kWidth = 960, kHeight = 540;

  Page();
  cairo_t* get() const { return context_.get(); }
  // Throws kUnavailable naming the file when it cannot be written.
  void Write(const std::string& path) const;

 private:
  template <class T>
  using Owner = std::unique_ptr<T, void (*)(T*)>;
  const Owner<cairo_surface_t> surface_;
  const Owner<cairo_t> context_;
};

// `anchor`: the share of the text that lies left of x.
void Text(cairo_t* page, const std::string& text, double x, double y, double anchor);

// Of a tick.
std::string Label(double value);
// A round distance between about `count` ticks over a range: 1, 2 or 5 times a power of ten.
double TickDistance(double range, int count);

}  // namespace plumb::tools
