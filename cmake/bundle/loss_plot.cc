// The bundle draws nothing: cairo would bring the window system's libraries with it.
#include "tools/plot/loss_plot.h"

#include "spec/core/status.h"

namespace plumb::tools {

void WriteLossPlot(const LossCurve&, const std::string& path) {
  throw Unimplemented(path, " cannot be drawn by this program, which was built without cairo");
}

}  // namespace plumb::tools
