// The bundle draws nothing: cairo would bring the window system's libraries with it.
#include "spec/core/status.h"
#include "tools/plot/line_plot.h"
#include "tools/plot/loss_plot.h"

namespace plumb::tools {
namespace {

Error WithoutCairo(const std::string& path) {
  return Unimplemented(path, " cannot be drawn by this program, which was built without cairo");
}

}  // namespace

void WriteLossPlot(const LossCurve&, const std::string& path) { throw WithoutCairo(path); }

void WriteLinePlot(const LinePlot&, const std::string& path) { throw WithoutCairo(path); }

}  // namespace plumb::tools
