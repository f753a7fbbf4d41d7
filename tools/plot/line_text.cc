#include "tools/plot/line_text.h"

#include <cstdio>

#include "spec/core/status.h"

namespace plumb::tools {

std::string Rounded(double value) {
  char text[32];
  snprintf(text, sizeof(text), "%.4g", value);
  return text;
}

std::string LinesAsCsv(const LinePlot& plot) {
  std::string text = Str("line,", plot.x_label, ",", plot.y_label, "\n");
  for (const Line& line : plot.lines) {
    for (size_t i = 0; i < line.ys.size(); ++i)
      text += Str(line.name, ",", Rounded(line.xs[i]), ",", Rounded(line.ys[i]), "\n");
  }
  return text;
}

}  // namespace plumb::tools
