// Lines over two axes as text.
#pragma once

#include <string>

#include "tools/plot/line_plot.h"

namespace plumb::tools {

// "name,x,y" and a row for each point, with four digits.
std::string LinesAsCsv(const LinePlot& plot);

// With four digits: "0.001235", "1.235e+06".
std::string Rounded(double value);

}  // namespace plumb::tools
