// Lines over two axes as a PNG.
#pragma once

#include <string>
#include <vector>

namespace plumb::tools {

struct Line {
  std::string name;
  std::vector<double> xs, ys;
  bool is_dashed = false;
};

struct LinePlot {
  std::string title, x_label, y_label;
  bool is_log_x = false, is_log_y = false;  // for values above zero
  std::vector<Line> lines;
};

// 960 × 540 pixels, with a name at the end of each line. Throws kUnavailable naming the file when it cannot be written.
void WriteLinePlot(const LinePlot& plot, const std::string& path);

}  // namespace plumb::tools
