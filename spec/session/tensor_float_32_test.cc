#include "spec/session/tensor_float_32.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace plumb {
namespace {

class TensorFloat32 : public testing::Test {
 protected:
  ~TensorFloat32() override {
    EnableTensorFloat32(false);
    unsetenv("NVIDIA_TF32_OVERRIDE");
  }
};

TEST_F(TensorFloat32, IsOffUntilItIsAskedFor) {
  EXPECT_FALSE(IsTensorFloat32Enabled());
  EnableTensorFloat32(true);
  EXPECT_TRUE(IsTensorFloat32Enabled());
  EnableTensorFloat32(false);
  EXPECT_FALSE(IsTensorFloat32Enabled());
}

TEST_F(TensorFloat32, IsForbiddenByTheEnvironmentAndNeverTurnedOnByIt) {
  setenv("NVIDIA_TF32_OVERRIDE", "1", 1);
  EXPECT_FALSE(IsTensorFloat32Enabled());
  EnableTensorFloat32(true);
  EXPECT_TRUE(IsTensorFloat32Enabled());
  setenv("NVIDIA_TF32_OVERRIDE", "0", 1);
  EXPECT_FALSE(IsTensorFloat32Enabled());
}

}  // namespace
}  // namespace plumb
