// Laws of launches: they are queued without waiting for each other, their memory stays theirs, and no failure is lost.
#include "fastpath/sim/sim_kernel.h"

#include <gtest/gtest.h>

#include "fastpath/sim/sim_testing.h"

namespace plumb::fast {
namespace {

const AttrMap kFloats = {{"T", DType::kFloat}};
const Tensor kTooLarge = MakeVector<int64_t>({int64_t{1} << 31, int64_t{1} << 31});

class SimKernelTest : public testing::Test {
 protected:
  explicit SimKernelTest(const SimOptions& options = {}) : driver_(NewSimDriver(options)), device_(driver_, 0, 1) {
    device_.BeginStep(step_.step_id, [this](const Status& status) { told_.set_value(status); });
  }
  std::pair<Status, Tensor> OnHost(Tensor value, int64_t step_id = 7) {
    std::promise<std::pair<Status, Tensor>> arrived;
    device_.CopyToHost(step_id, std::move(value), [&](const Status& status, Tensor copy) {
      arrived.set_value({status, std::move(copy)});
    });
    return arrived.get_future().get();
  }
  Status WhenDone() {
    std::promise<Status> done;
    device_.WhenDone(step_.step_id, [&](const Status& status) { done.set_value(status); });
    return done.get_future().get();
  }

  const std::shared_ptr<SimDriver> driver_;
  SimDevice device_;
  ThreadPool pool_{1};
  ResourceManager resources_, step_resources_;
  StepContext step_{pool_, resources_, step_resources_, 7};
  std::promise<Status> told_;
};

TEST_F(SimKernelTest, DependentLaunchesAreQueuedBeforeTheFirstEnds) {
  const Tensor x = Upload(device_, MakeVector<float>({1, -2}));
  Gate gate(device_);
  Started first(device_, step_, NodeFor("first", "Neg", 1, kFloats), {x});
  ASSERT_TRUE(first.has_answered());
  const Tensor negative = first.Take();
  Started second(device_, step_, NodeFor("second", "Mul", 2, kFloats), {negative, x});
  ASSERT_TRUE(second.has_answered()) << "and the gate is still shut";
  gate.Open();
  const auto [status, product] = OnHost(second.Take());
  EXPECT_TRUE(status.ok());
  EXPECT_TRUE(product.BitwiseEquals(MakeVector<float>({-1, -4})));
  EXPECT_TRUE(device_.EndStep(step_.step_id).ok());
}

// A launch whose outputs' sizes hang on values of the device answers when it has ended.
TEST_F(SimKernelTest, WaitsWhereOnlyTheKernelKnowsTheSize) {
  const Tensor x = Upload(device_, MakeVector<float>({3, 3, 1}));
  Gate gate(device_);
  Started unique(device_, step_, NodeFor("unique", "Unique", 1, kFloats), {x});
  EXPECT_FALSE(unique.has_answered());
  gate.Open();
  EXPECT_TRUE(unique.status().ok());
  EXPECT_TRUE(OnHost(unique.Take()).second.BitwiseEquals(MakeVector<float>({3, 1})));
  EXPECT_TRUE(device_.EndStep(step_.step_id).ok());
}

// What is too large for the device and wrong besides is refused as the CPU's kernel refuses it.
TEST_F(SimKernelTest, TheKernelSaysFirstWhatIsWrong) {
  const AttrMap attrs = {{"S", DType::kInt64}, {"T", DType::kFloat}, {"seed", int64_t{1}}, {"seed2", int64_t{2}}};
  Started samples(device_, step_, NodeFor("samples", "RandomGamma", 2, attrs),
                  {kTooLarge, Upload(device_, MakeVector<float>({1}))});
  EXPECT_EQ(samples.status().code(), Code::kInvalidArgument) << samples.status().message();
  EXPECT_EQ(device_.EndStep(step_.step_id).code(), Code::kInvalidArgument);
}

TEST_F(SimKernelTest, NamesWhatHasNoRoom) {
  Started fill(device_, step_, NodeFor("fill", "Fill", 2, {{"index_type", DType::kInt64}, {"T", DType::kFloat}}),
               {kTooLarge, Upload(device_, MakeScalar<float>(1))});
  EXPECT_EQ(fill.status().code(), Code::kResourceExhausted) << fill.status().message();
  EXPECT_EQ(device_.EndStep(step_.step_id).code(), Code::kResourceExhausted);
}

TEST_F(SimKernelTest, MemoryThatIsLetGoEarlyIsNotOverwritten) {
  Tensor x = Upload(device_, MakeVector<float>({1, 2}));
  const void* const address = x.raw();
  Gate gate(device_);
  Started negative(device_, step_, NodeFor("negative", "Neg", 1, kFloats), {x});
  x = Tensor();
  const Tensor result = negative.Take();
  std::vector<Tensor> later;
  for (int i = 0; i < 4; ++i) {  // other streams, which wait for nothing
    later.push_back(Upload(device_, MakeVector<float>({7, 7})));
    EXPECT_NE(later.back().raw(), address);
  }
  gate.Open();
  EXPECT_TRUE(OnHost(result).second.BitwiseEquals(MakeVector<float>({-1, -2})));
  EXPECT_TRUE(device_.EndStep(step_.step_id).ok());
  EXPECT_EQ(Upload(device_, MakeVector<float>({7, 7})).raw(), address) << "now it may be";
}

// The step hears of the first failure, by the name of its node; whatever leaves the device afterwards has failed too.
TEST_F(SimKernelTest, AFailureIsNotLost) {
  const Tensor number = Upload(device_, MakeVector<float>({1, NAN}));
  Gate gate(device_);
  const AttrMap attrs = {{"T", DType::kFloat}, {"message", std::string("no number")}};
  Started check(device_, step_, NodeFor("check", "CheckNumerics", 1, attrs), {number});
  Started behind(device_, step_, NodeFor("behind", "CheckNumerics", 1, attrs), {check.Take()});
  ASSERT_TRUE(check.has_answered() && behind.has_answered());
  EXPECT_TRUE(check.status().ok() && behind.status().ok());
  gate.Open();
  const Status told = told_.get_future().get();
  EXPECT_EQ(told.code(), Code::kInvalidArgument);
  EXPECT_NE(told.message().find("[node 'check', op CheckNumerics]"), std::string::npos) << told.ToString();
  EXPECT_EQ(OnHost(behind.Take()).first.ToString(), told.ToString());
  EXPECT_EQ(OnHost(number).first.ToString(), told.ToString()) << "a value that was there before";
  EXPECT_EQ(WhenDone().ToString(), told.ToString());
  EXPECT_EQ(device_.EndStep(step_.step_id).ToString(), told.ToString());
}

TEST_F(SimKernelTest, AFailureStaysInItsStep) {
  StepContext other{pool_, resources_, step_resources_, 8};
  device_.BeginStep(8, [](const Status& status) { ADD_FAILURE() << status.ToString(); });
  const AttrMap attrs = {{"T", DType::kFloat}, {"message", std::string("no number")}};
  Started check(device_, step_, NodeFor("check", "CheckNumerics", 1, attrs), {Upload(device_, MakeScalar<float>(NAN))});
  Started fine(device_, other, NodeFor("fine", "Neg", 1, kFloats), {Upload(device_, MakeScalar(2.0f))});
  EXPECT_TRUE(OnHost(fine.Take(), 8).second.BitwiseEquals(MakeScalar(-2.0f)));
  EXPECT_TRUE(device_.EndStep(8).ok());
  EXPECT_FALSE(device_.EndStep(step_.step_id).ok());
}

// A control edge from a device says that its work has been done.
TEST_F(SimKernelTest, DoneMeansDone) {
  const Tensor x = Upload(device_, MakeScalar(1.0f));
  Gate gate(device_);
  Started negative(device_, step_, NodeFor("negative", "Neg", 1, kFloats), {x});
  std::promise<Status> done;
  auto outcome = done.get_future();
  device_.WhenDone(step_.step_id, [&](const Status& status) { done.set_value(status); });
  EXPECT_EQ(outcome.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  gate.Open();
  EXPECT_TRUE(outcome.get().ok());
  EXPECT_TRUE(device_.EndStep(step_.step_id).ok());
}

// A device that fails spoils what comes later, and says so each time.
class FailingDevice : public SimKernelTest {
 protected:
  FailingDevice() : SimKernelTest({.failures_per_thousand = 1000}) {}
};
TEST_F(FailingDevice, FailsItsSteps) {
  const Tensor x = device_.NewTensor(DType::kFloat, {2});
  for (const int64_t id : {7, 8}) {
    if (id == 8) device_.BeginStep(id, [](const Status&) {});
    StepContext step{pool_, resources_, step_resources_, id};
    Started negative(device_, step, NodeFor("negative", "Neg", 1, kFloats), {x});
    const Status ended = device_.EndStep(id);
    EXPECT_EQ(ended.code(), Code::kUnavailable);
    EXPECT_NE(ended.message().find("'negative'"), std::string::npos) << ended.ToString();
    EXPECT_EQ(OnHost(negative.Take()).first.code(), Code::kUnavailable);
  }
}

}  // namespace
}  // namespace plumb::fast
