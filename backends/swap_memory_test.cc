// What a loop keeps for its gradient lies on the host, where the device has no room for it and swap_memory allows it.
#include <gtest/gtest.h>

#include "client/control_flow/while_loop.h"
#include "client/gradients.h"
#include "client/initializers.h"
#include "client/ops.h"
#include "client/program.h"
#include "fastpath/session/fast_session.h"

namespace plumb {
namespace {

constexpr int64_t kElements = 1 << 14;
constexpr size_t kTensor = kElements * sizeof(float);

// The gradient of a loop of so many iterations, each of which keeps a tensor for it.
Tensor GradientOf(int iterations, bool swaps, std::unique_ptr<Session> session) {
  Scope scope;
  const Output x = Filled(scope, DType::kFloat, Shape({kElements}), 0.5);
  const LoopVars last = WhileLoop(
      scope, {Constant(scope, 0), x}, [&](const LoopVars& vars) { return vars[0] < iterations; },
      [&](const LoopVars& vars) {
        return LoopVars{vars[0] + 1, ops::Tanh(scope, vars[1])};
      },
      {.parallel_iterations = 1, .swap_memory = swaps});
  const std::vector<Output> gradients = DenseGradients({last[1]}, {x});
  Program program(scope, std::move(session));
  return program.Fetch(gradients[0]);
}

std::unique_ptr<Session> OnSim(size_t memory) {
  return fast::NewFastSession({.sim_devices = 1, .allow_soft_placement = true}, {.accelerator_memory = memory});
}

TEST(SwapMemory, LoopsOfTwiceTheLengthThatRanOutCompleteOnSim) {
  constexpr int kRoom = 32;
  const size_t memory = kRoom * kTensor;
  try {
    GradientOf(kRoom, false, OnSim(memory));
    ADD_FAILURE() << "the device had room for the loop";
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kResourceExhausted) << error.status().ToString();
  }
  const Tensor swapped = GradientOf(2 * kRoom, true, OnSim(memory));
  const Tensor wanted = GradientOf(2 * kRoom, false, fast::NewFastSession({}));
  EXPECT_TRUE(swapped.BitwiseEquals(wanted));
}

}  // namespace
}  // namespace plumb
