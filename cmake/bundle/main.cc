// The bundle's program: the command, and the laws as `plumb test`, which takes GoogleTest's flags.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "tools/command_line.h"

int main(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "test") return plumb::tools::RunCommandLine(argc, argv);
  argv[1] = argv[0];
  ++argv;
  --argc;
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
