// A loss curve as a PNG.
#pragma once

#include <string>
#include <vector>

namespace plumb::tools {

struct LossCurve {
  std::string title;
  std::vector<double> steps;
  std::vector<double> losses;  // as many as steps; not finite: left out
};

// Draws the curve and its running mean, 960 × 540 pixels. Throws kUnavailable naming the file when it cannot be
// written.
void WriteLossPlot(const LossCurve& curve, const std::string& path);

}  // namespace plumb::tools
