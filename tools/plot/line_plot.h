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

// The same as text: "name,x,y" and a row for each point, with four digits.
std::string LinesAsCsv(const LinePlot& plot);

// With four digits: "0.001235", "1.235e+06".
std::string Rounded(double value);

}  // namespace plumb::tools
