#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

Tensor Column(const std::vector<float>& values) { return MakeTensor<float>({std::ssize(values), 1}, values); }
Tensor Vector(const std::vector<float>& values) { return MakeTensor<float>({std::ssize(values)}, values); }
Tensor Ids(const std::vector<int64_t>& values) { return MakeTensor<int64_t>({std::ssize(values)}, values); }
Tensor NoState(int64_t examples) { return Zeros(DType::kFloat, {examples, 4}); }

AttrMap Attrs(const std::string& loss, int64_t sparse, int64_t valued, int64_t dense, float l1 = 0) {
  return {{"loss_type", loss},
          {"adaptive", false},
          {"num_sparse_features", sparse},
          {"num_sparse_features_with_values", valued},
          {"num_dense_features", dense},
          {"l1", l1},
          {"l2", 1.0f},
          {"num_loss_partitions", int64_t{1}},
          {"num_inner_iterations", int64_t{1}}};
}

// One dense feature; state and the change of its weight, which was 0.
std::pair<std::vector<float>, float> Trained(const std::string& loss, const std::vector<float>& features,
                                             const std::vector<float>& labels, bool is_adaptive = false) {
  AttrMap attrs = Attrs(loss, 0, 0, 1);
  attrs["adaptive"] = is_adaptive;
  const auto count = std::ssize(features);
  const std::vector<float> ones(features.size(), 1);
  const auto outputs = RunKernel("SdcaOptimizerV2",
                                 {Column(features), Vector(ones), Vector(labels), Vector({0}), NoState(count)}, attrs);
  return {Values<float>(outputs[0]), Values<float>(outputs[1])[0]};
}

// The first example is best met halfway, 1 / (1 + |x|²); the second meets what the first left.
TEST(Sdca, TakesOneExampleAfterTheOther) {
  const auto [state, delta] = Trained("squared_loss", {1, 1}, {1, 1});
  EXPECT_EQ(state, (std::vector<float>{0.5, 0.5, 0, 1, 0.25, 0.5, 0, 1}));
  EXPECT_EQ(delta, 0.75f);
}

TEST(Sdca, AdaptiveTakesTheFurthestFirst) {
  const auto [state, delta] = Trained("squared_loss", {1, 3}, {1, 1}, /*is_adaptive=*/true);
  EXPECT_FLOAT_EQ(state[4], 0.1f);                // 1 / (1 + 9)
  EXPECT_FLOAT_EQ(state[0], (1 - 3 * 0.1f) / 2);  // of what is left
  EXPECT_FLOAT_EQ(delta, 3 * 0.1f + 0.35f);
}

TEST(Sdca, HingesKeepTheirDualWithinOne) {
  const auto hinge = Trained("hinge_loss", {0.5}, {0});
  EXPECT_EQ(hinge.first, (std::vector<float>{-1, 1, 0, 1}));  // −1 / 0.25 would be −4
  EXPECT_EQ(hinge.second, -0.5f);
  const auto smooth = Trained("smooth_hinge_loss", {1}, {1});
  EXPECT_EQ(smooth.first, (std::vector<float>{0.5, 0.5, 0, 1}));
}

// Where the dual is best, it is minus the slope of the loss at the new prediction.
TEST(Sdca, NewtonsStepsEndWhereTheSlopeIsTheDual) {
  const auto [logistic, turn] = Trained("logistic_loss", {2}, {1});
  EXPECT_FLOAT_EQ(logistic[0], 1 / (1 + std::exp(2 * turn)));
  EXPECT_FLOAT_EQ(logistic[1], std::log(2.0f));
  const auto [poisson, rise] = Trained("poisson_loss", {0.5}, {3});
  EXPECT_FLOAT_EQ(poisson[0], 3 - std::exp(0.5f * rise));
  EXPECT_FLOAT_EQ(poisson[2], 3 * (std::log(3.0f) - 1));
}

// Example 1 has no feature; the element behind it is out of order, and so no one's.
TEST(Sdca, SparseFeaturesAreNamed) {
  const auto outputs = RunKernel("SdcaOptimizerV2",
                                 {Ids({0, 2, 0}), Ids({70, 50, 50}), Vector({1, 3, 9}), Vector({1, 1, 1}),
                                  Vector({1, 1, 1}), Ids({50, 70}), Vector({0, 0}), NoState(3)},
                                 Attrs("squared_loss", 1, 1, 0));
  const std::vector<float> deltas = Values<float>(outputs[1]);
  EXPECT_FLOAT_EQ(deltas[0], 0.3f);
  EXPECT_EQ(deltas[1], 0.5f);
  EXPECT_EQ(Values<float>(outputs[0])[4], 1);  // nothing predicts it
}

TEST(Sdca, SmallWeightsPredictNothingUnderL1) {
  const auto outputs =
      RunKernel("SdcaOptimizer", {Column({1}), Vector({1}), Vector({0}), Vector({0.25}), NoState(1)}, [] {
        AttrMap attrs = Attrs("squared_loss", 0, 0, 1, 0.5);
        attrs.erase("adaptive");
        return attrs;
      }());
  EXPECT_EQ(Values<float>(outputs[0]), (std::vector<float>{0, 0, 0, 1}));
}

TEST(Sdca, RefusesWhatDoesNotFit) {
  const auto dense = [](const std::string& loss, const Tensor& rows, const Tensor& labels, const Tensor& state) {
    return CodeOfKernel("SdcaOptimizerV2", {rows, Vector({1}), labels, Vector({0}), state}, Attrs(loss, 0, 0, 1));
  };
  EXPECT_EQ(dense("squared_loss", Column({1}), Vector({5}), NoState(1)), Code::kOk);
  EXPECT_EQ(dense("hinge_loss", Column({1}), Vector({5}), NoState(1)), Code::kInvalidArgument);
  EXPECT_EQ(dense("poisson_loss", Column({1}), Vector({-1}), NoState(1)), Code::kInvalidArgument);
  EXPECT_EQ(dense("squared_loss", Column({1}), Vector({5, 6}), NoState(1)), Code::kInvalidArgument);
  EXPECT_EQ(dense("squared_loss", Column({1}), Vector({5}), NoState(2)), Code::kInvalidArgument);
  EXPECT_EQ(dense("squared_loss", Column({1, 2}), Vector({5}), NoState(1)), Code::kInvalidArgument);
  EXPECT_EQ(dense("squared_loss", MakeTensor<float>({1, 2}, {1, 2}), Vector({5}), NoState(1)), Code::kInvalidArgument);
  const auto sparse = [](const std::vector<int64_t>& of, const std::vector<int64_t>& columns,
                         const std::vector<int64_t>& names) {
    return CodeOfKernel("SdcaOptimizerV2",
                        {Ids(of), Ids(columns), Vector({1}), Vector({1}), Ids(names), Vector({0}), NoState(1)},
                        Attrs("squared_loss", 1, 0, 0));
  };
  EXPECT_EQ(sparse({0}, {7}, {7}), Code::kOk);
  EXPECT_EQ(sparse({0}, {6}, {7}), Code::kInvalidArgument) << "a feature without a weight";
  EXPECT_EQ(sparse({0, 0}, {7, 7}, {7}), Code::kInvalidArgument) << "a feature twice";
  EXPECT_EQ(sparse({0}, {7, 7}, {7}), Code::kInvalidArgument);
  EXPECT_EQ(sparse({0}, {7}, {7, 8}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("SdcaOptimizerV2", {Vector({1}), Vector({1}), NoState(1)}, Attrs("squared_loss", 0, 0, 0)),
            Code::kInvalidArgument);
}

// As TensorFlow 2.12.1 answers.
TEST(Sdca, WeightsAreDrawnToZero) {
  const auto shrunk = [](const std::vector<float>& weights, float l1, float l2) {
    KernelHarness harness;
    const Entry first = harness.Ref(Vector(weights)), second = harness.Ref(Vector({0.5F, -5}));
    harness.Run("SdcaShrinkL1", {first, second}, {{"num_features", 2}, {"l1", l1}, {"l2", l2}});
    EXPECT_EQ(Values<float>(second), (std::vector<float>{0, -5 + l1 / l2}));
    return Values<float>(first);
  };
  EXPECT_EQ(shrunk({1, -2, 0.1F, -0.3F}, 1, 2), (std::vector<float>{0.5F, -1.5F, 0, 0}));
  EXPECT_EQ(shrunk({3.3F, -7.7F, 0.1F}, 0.7F, 0.3F), (std::vector<float>{0.9666666984558105F, -5.366666793823242F, 0}));
  KernelHarness harness;
  EXPECT_EQ(harness.CodeOf("SdcaShrinkL1", {harness.UninitializedRef(DType::kFloat, {2})},
                           {{"num_features", 1}, {"l1", 1.0F}, {"l2", 1.0F}}),
            Code::kFailedPrecondition);
}

}  // namespace
}  // namespace plumb::fast::cpu
