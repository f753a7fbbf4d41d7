#include "conformance/suites/ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>

#include "backends/backends.h"
#include "conformance/suites/single_node.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

TEST(SingleNode, VariablesStandBehindReferences) {
  const OpDef& op = GetOp("AssignAdd");
  const auto cases = SampleInputs(op, {{"T", DType::kFloat}}, 1);
  ASSERT_FALSE(cases.empty());
  const SingleNode single = MakeSingleNode(op, cases[0]);
  EXPECT_EQ(single.initialize.targets, std::vector<std::string>{"assign_variable_0"});
  EXPECT_EQ(single.run.fetches, std::vector<std::string>{"node:0"});
  EXPECT_EQ(single.inspect.fetches, std::vector<std::string>{"variable_0"});
  const auto session = OpenSession("reference");
  std::vector<Tensor> outputs;
  ASSERT_TRUE(session->Extend(single.graph).ok());
  for (const StepRequest* step : {&single.initialize, &single.run, &single.inspect}) {
    const Status status = session->Run(step->feeds, step->fetches, step->targets, &outputs);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
}

// The reference, with a mistake: `spoil` changes every output that it gives.
class Spoiled : public Session {
 public:
  using Session::Run;
  explicit Spoiled(std::function<void(Tensor&)> spoil) : spoil_(std::move(spoil)) {}
  Status Extend(const GraphDef& graph) override { return session_->Extend(graph); }
  Status Run(const RunOptions& options, std::span<const Feed> feeds, std::span<const std::string> fetches,
             std::span<const std::string> targets, std::vector<Tensor>* outputs, RunMetadata* metadata) override {
    Status status = session_->Run(options, feeds, fetches, targets, outputs, metadata);
    for (Tensor& output : *outputs) {
      output = output.Clone();
      spoil_(output);
    }
    return status;
  }
  Status MakeCallable(std::span<const std::string> feeds, std::span<const std::string> fetches,
                      std::span<const std::string> targets, std::unique_ptr<Callable>* callable) override {
    return session_->MakeCallable(feeds, fetches, targets, callable);
  }
  Status Reset(std::span<const std::string> containers) override { return session_->Reset(containers); }
  Status Close() override { return session_->Close(); }

 private:
  std::function<void(Tensor&)> spoil_;
  std::unique_ptr<Session> session_ = OpenSession("reference");
};

OpResult Tried(const std::string& filter, const std::function<void(Tensor&)>& spoil) {
  const Backend backend{"spoiled", [=] { return std::make_unique<Spoiled>(spoil); },
                        [](std::string_view) { return true; }};
  const auto results = RunOps(backend, {.filter = filter}, [](const OpResult&) {});
  EXPECT_EQ(results.size(), 1u);
  return results.at(0);
}

void Keep(Tensor&) {}
void Nudge(Tensor& tensor) {
  for (float& x : tensor.mutable_data<float>()) x = std::nextafter(x, 1e30f);
}

TEST(OpsSuite, TheReferenceAgreesWithItself) {
  for (const char* filter : {"Neg/T=float32", "MatMul/T=float32", "AssignAdd/T=float32", "Neg/T=int32"}) {
    const OpResult result = Tried(filter, Keep);
    EXPECT_EQ(result.outcome, Outcome::kPassed) << result.detail;
    EXPECT_GT(result.compared, 0);
  }
}

TEST(OpsSuite, OneUnitInTheLastPlaceIsTooMuchForAnExactOp) {
  const OpResult result = Tried("Neg/T=float32", Nudge);
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(result.gate, "exact");
}

// One unit is far inside the bound of a sum, but lattice data leaves no room.
TEST(OpsSuite, SumsOfLatticeDataAreExact) {
  const OpResult result = Tried("MatMul/T=float32", Nudge);
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(result.gate, "exact");
  EXPECT_NE(result.detail.find("on the lattice"), std::string::npos) << result.detail;
}

TEST(OpsSuite, AWrongVariableIsAnEffect) {
  const OpResult result = Tried("AssignVariableOp/dtype=float32", Nudge);
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(result.gate, "effect");
}

TEST(OpsSuite, ACrashIsAFailureOfItsOp) {
  const OpResult result = Tried("Neg/T=float32", [](Tensor&) { std::raise(SIGKILL); });
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(result.type, "T=float32");
  EXPECT_NE(result.detail.find("crashed"), std::string::npos) << result.detail;
}

TEST(OpsSuite, AnOpThatCannotBeTriedAloneIsUnsupported) {
  const Backend nothing{"nothing", [] { return OpenSession("reference"); }, [](std::string_view) { return false; }};
  const auto results = RunOps(nothing, {.filter = "Neg"}, [](const OpResult&) {});
  ASSERT_FALSE(results.empty());
  EXPECT_EQ(results[0].outcome, Outcome::kUnsupported);
  EXPECT_EQ(results[0].detail, "no kernel on nothing");
}

}  // namespace
}  // namespace plumb::conformance
