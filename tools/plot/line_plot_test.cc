#include "tools/plot/line_plot.h"

#include <gtest/gtest.h>

#include "spec/core/status_testing.h"
#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"
#include "tools/plot/line_text.h"

namespace plumb::tools {
namespace {

TEST(LinePlot, IsWrittenAsPictureAndAsText) {
  const TemporaryFolder folder;
  LinePlot plot{"steps", "workers", "ms", true, true, {{"scalar", {1, 10, 100}, {0.5, 1, 2}}, {"none", {}, {}, true}}};
  WriteLinePlot(plot, folder.path() + "/plot.png");
  EXPECT_TRUE(ReadFile(folder.path() + "/plot.png").starts_with("\x89PNG"));
  EXPECT_EQ(LinesAsCsv(plot), "line,workers,ms\nscalar,1,0.5\nscalar,10,1\nscalar,100,2\n");
  plot.lines = {{"one", {1}, {1}}};
  WriteLinePlot(plot, folder.path() + "/point.png");
  EXPECT_EQ(StatusOf([&] { WriteLinePlot(plot, folder.path() + "/none/plot.png"); }).code(), Code::kUnavailable);
}

}  // namespace
}  // namespace plumb::tools
