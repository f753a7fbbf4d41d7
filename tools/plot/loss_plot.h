// A loss curve as a PNG.
#pragma once

#include <string>
#include <vector>

namespace plumb::tools {

struct LossCurve {
  std::string title;
  std::vector<double> steps;
  std::vector<double> losses;  // as many as steps; those that are not finite and above zero are left out
  // The share of the test images that was told apart, in [0, 1], and after which steps; none: not drawn.
  std::vector<double> tested_steps;
  std::vector<double> accuracies;
};

// Draws the curve and its running mean on a logarithmic axis, and the accuracy on an axis at the right, 960 × 540
// pixels. Throws kUnavailable naming the file when it cannot be written.
void WriteLossPlot(const LossCurve& curve, const std::string& path);

}  // namespace plumb::tools
