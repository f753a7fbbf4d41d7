#include <gtest/gtest.h>

#include "mpi/transport/mpi.h"

namespace plumb::dist {
namespace {

TEST(MpiAbsent, SaysWhatToInstall) {
  try {
    OpenMpi();
    FAIL() << "there is no MPI, and yet it opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kUnimplemented);
    EXPECT_NE(error.status().message().find("libopenmpi-dev"), std::string::npos);
  }
}

}  // namespace
}  // namespace plumb::dist
