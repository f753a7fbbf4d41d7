// The bundle's program: the command, and the laws as `plumb test`, which takes GoogleTest's flags. They lay nodes on a
// card where the machine has one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fastpath/gpu/module/open.h"
#include "spec/core/status.h"
#include "tools/command_line.h"

namespace {

void LookForCards() {
  try {
    if (!plumb::fast::DescribeCards().empty()) setenv("PLUMB_CARDS", "1", /*overwrite=*/0);
  } catch (const plumb::Error& error) {
    std::printf("The laws run without GPUs: %s\n", error.status().message().c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "test") return plumb::tools::RunCommandLine(argc, argv);
  argv[1] = argv[0];
  ++argv;
  --argc;
  LookForCards();
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
