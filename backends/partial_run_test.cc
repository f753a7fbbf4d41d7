// Laws of steps in pieces that every backend keeps (rules P1–P5).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "backends/backends.h"
#include "backends/backends_testing.h"
#include "backends/library/testing/testing.h"
#include "spec/graph/function_testing.h"

namespace plumb {
namespace {

using testing::HasSubstr;

NodeDef Placeholder(const std::string& name) { return MakeNode(name, "Placeholder", {}, {{"dtype", DType::kFloat}}); }
NodeDef Add(const std::string& name, const std::string& a, const std::string& b) {
  return MakeNode(name, "Add", {a, b}, FloatType());
}

// Our own backends, and the cpu backend behind plumb_backend.h.
std::vector<std::string> Backends() {
  std::vector<std::string> names(BackendNames().begin(), BackendNames().end());
  names.push_back(library::TestLibrary("own_cpu"));
  return names;
}

class PartialRuns : public testing::TestWithParam<std::string> {
 protected:
  // r1 = a + b; r2 = r1 * c, where r1 may be fed.
  void SetUp() override {
    session_ = OpenSession(GetParam(), {.threads = 2});
    ASSERT_TRUE(session_
                    ->Extend(MakeGraph({Placeholder("a"), Placeholder("b"), Placeholder("c"), Add("r1", "a", "b"),
                                        MakeNode("r2", "Mul", {"r1", "c"}, FloatType())}))
                    .ok());
  }
  Status Setup(std::vector<std::string> feeds, std::vector<std::string> fetches,
               std::vector<std::string> targets = {}) {
    return session_->PartialRunSetup(feeds, fetches, targets, &handle_);
  }
  Status Run(std::vector<std::pair<std::string, float>> feeds, std::vector<std::string> fetches) {
    std::vector<Feed> values;
    for (const auto& [name, value] : feeds) values.emplace_back(name, MakeScalar(value));
    outputs_.clear();
    return session_->PartialRun(handle_, values, fetches, &outputs_);
  }

  std::unique_ptr<Session> session_;
  std::string handle_;
  std::vector<Tensor> outputs_;
};
INSTANTIATE_TEST_SUITE_P(All, PartialRuns, testing::ValuesIn(Backends()), [](const auto& info) {
  return info.param.find('/') == std::string::npos ? TestNameOf(info.param) : "library";
});

// P1, P2, P4.
TEST_P(PartialRuns, ComputeAsFarAsTheyAreFed) {
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(Setup({"a", "b", "c"}, {"r1", "r2"}).ok());
    Status status = Run({{"a", 1}, {"b", 2}}, {"r1"});
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(outputs_.at(0).scalar<float>(), 3);
    status = Run({{"c", 5}}, {"r2"});
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(outputs_.at(0).scalar<float>(), 15);
    status = Run({}, {"r2"});
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << "the step is over";
    EXPECT_THAT(status.message(), HasSubstr("Must run 'setup'"));
  }
}

// P2: feeds may come without fetches, and fetches later.
TEST_P(PartialRuns, MayBeFedFirstAndFetchedLater) {
  ASSERT_TRUE(Setup({"a", "b", "c"}, {"r1", "r2"}).ok());
  ASSERT_TRUE(Run({{"a", 1}}, {}).ok());
  ASSERT_TRUE(Run({{"b", 2}, {"c", 4}}, {}).ok());
  ASSERT_TRUE(Run({}, {"r2"}).ok());
  EXPECT_EQ(outputs_.at(0).scalar<float>(), 12);
  ASSERT_TRUE(Run({}, {"r1"}).ok());
  EXPECT_EQ(outputs_.at(0).scalar<float>(), 3);
}

// P3: nothing is consumed by the refusal.
TEST_P(PartialRuns, RefuseWhatIsNotYetComputable) {
  ASSERT_TRUE(Setup({"a", "b", "c"}, {"r1", "r2"}).ok());
  const Status status = Run({{"a", 1}}, {"r1"});
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("can't be computed from the feeds"));
  ASSERT_TRUE(Run({{"a", 1}, {"b", 2}}, {"r1"}).ok());
  ASSERT_TRUE(Run({{"c", 2}}, {"r2"}).ok());
  EXPECT_EQ(outputs_.at(0).scalar<float>(), 6);
}

// P3: through any path of the graph, also one that a feed cuts.
TEST_P(PartialRuns, LookAtTheGraphAsItIs) {
  ASSERT_TRUE(Setup({"r1", "a", "c"}, {"r2"}).ok());
  EXPECT_EQ(Run({{"r1", 3}, {"c", 2}}, {"r2"}).code(), Code::kInvalidArgument);
  ASSERT_TRUE(Run({{"r1", 3}, {"c", 2}, {"a", 0}}, {"r2"}).ok());
  EXPECT_EQ(outputs_.at(0).scalar<float>(), 6);
}

// P3: what waits for a feed needs it, though it does not take its value.
TEST_P(PartialRuns, LookAlongControlEdges) {
  ASSERT_TRUE(session_->Extend(MakeGraph({MakeNode("r3", "Mul", {"a", "a", "^c"}, FloatType())})).ok());
  ASSERT_TRUE(Setup({"a", "c"}, {"r3"}).ok());
  EXPECT_EQ(Run({{"a", 3}}, {"r3"}).code(), Code::kInvalidArgument);
  ASSERT_TRUE(Run({{"a", 3}, {"c", 0}}, {"r3"}).ok());
  EXPECT_EQ(outputs_.at(0).scalar<float>(), 9);
}

// P1, P2, F4.
TEST_P(PartialRuns, RefuseWhatWasNotAgreed) {
  handle_ = "no such step";
  EXPECT_EQ(Run({}, {"r1"}).code(), Code::kInvalidArgument);
  EXPECT_NE(Setup({"a"}, {"lost"}).code(), Code::kOk);
  ASSERT_TRUE(Setup({"a", "b"}, {"r1"}).ok());
  EXPECT_EQ(Run({{"c", 1}}, {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(Run({{"a", 1}}, {"r2"}).code(), Code::kInvalidArgument);
  ASSERT_TRUE(Run({{"a", 1}}, {}).ok());
  EXPECT_EQ(Run({{"a", 1}}, {}).code(), Code::kInvalidArgument) << "fed twice";
  const std::vector<Feed> wrong = {{"b", MakeScalar<int32_t>(1)}};
  EXPECT_EQ(session_->PartialRun(handle_, wrong, {}, &outputs_).code(), Code::kInvalidArgument);
  ASSERT_TRUE(Run({{"b", 2}}, {"r1"}).ok());
  EXPECT_EQ(outputs_.at(0).scalar<float>(), 3);
}

// P4: an error ends the step.
TEST_P(PartialRuns, EndWithAnError) {
  ASSERT_TRUE(session_
                  ->Extend(MakeGraph({MakeNode("row", "Placeholder", {}, {{"dtype", DType::kFloat}}),
                                      MakeConst("shape", MakeVector<int32_t>({7})),
                                      MakeNode("bad", "Reshape", {"row", "shape"},
                                               {{"T", DType::kFloat}, {"Tshape", DType::kInt32}})}))
                  .ok());
  ASSERT_TRUE(Setup({"row", "a", "b"}, {"bad", "r1"}).ok());
  EXPECT_EQ(Run({{"row", 1}}, {"bad"}).code(), Code::kInvalidArgument);
  const Status status = Run({{"a", 1}, {"b", 2}}, {"r1"});
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("Must run 'setup'"));
}

// Steps in pieces run beside each other and beside whole ones.
// X7: a branch that is not taken has no value in any piece.
TEST_P(PartialRuns, RefuseToFetchWhatIsDead) {
  const AttrMap boolean = {{"dtype", DType::kBool}};
  ASSERT_TRUE(session_
                  ->Extend(MakeGraph({MakeNode("takes", "Placeholder", {}, boolean),
                                      MakeNode("branch", "Switch", {"r1", "takes"}, FloatType())}))
                  .ok());
  for (const bool takes : {true, false}) {
    ASSERT_TRUE(Setup({"a", "b", "takes"}, {"r1", "branch:1"}).ok());
    ASSERT_TRUE(Run({{"a", 1}, {"b", 2}}, {"r1"}).ok());
    const std::vector<Feed> last = {{"takes", MakeScalar(takes)}};
    const std::vector<std::string> fetches = {"branch:1"};
    const Status status = session_->PartialRun(handle_, last, fetches, &outputs_);
    EXPECT_EQ(status.code(), takes ? Code::kOk : Code::kInvalidArgument) << status.ToString();
    if (!takes) continue;
    EXPECT_EQ(outputs_.at(0).scalar<float>(), 3);
  }
}

TEST_P(PartialRuns, RunBesideEachOther) {
  std::vector<std::string> handles;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(Setup({"a", "b"}, {"r1"}).ok());
    handles.push_back(handle_);
  }
  const std::vector<Feed> whole = {{"a", MakeScalar(10.0f)}, {"b", MakeScalar(20.0f)}};
  const std::vector<std::string> fetches = {"r1"};
  std::vector<Tensor> outputs;
  ASSERT_TRUE(session_->Run(whole, fetches, {}, &outputs).ok());
  EXPECT_EQ(outputs.at(0).scalar<float>(), 30);
  for (int i = 2; i >= 0; --i) {
    handle_ = handles[static_cast<size_t>(i)];
    ASSERT_TRUE(Run({{"a", static_cast<float>(i)}, {"b", 1}}, {"r1"}).ok());
    EXPECT_EQ(outputs_.at(0).scalar<float>(), static_cast<float>(i + 1));
  }
}

// P5, S2.
TEST_P(PartialRuns, EndWithTheirSession) {
  ASSERT_TRUE(Setup({"a", "b"}, {"r1"}).ok());
  ASSERT_TRUE(Run({{"a", 1}}, {}).ok());
  ASSERT_TRUE(session_->Close().ok());
  EXPECT_EQ(Run({{"b", 1}}, {"r1"}).code(), Code::kCancelled);
  session_.reset();
}

// F29: what was fetched stays as it was, whatever becomes of the variable.
TEST_P(PartialRuns, FetchedVariablesStayAsTheyWere) {
  const AttrMap scalar = {{"dtype", DType::kFloat}, {"shape", PartialShape(Shape())}};
  ASSERT_TRUE(session_
                  ->Extend(MakeGraph({MakeNode("v", "VariableV2", {}, scalar),
                                      MakeNode("set", "Assign", {"v", "a"}, FloatType()),
                                      MakeNode("more", "AssignAdd", {"v", "a"}, FloatType())}))
                  .ok());
  const std::vector<Feed> a = {{"a", MakeScalar(2.0f)}};
  std::vector<Tensor> none;
  ASSERT_TRUE(session_->Run(a, {}, std::vector<std::string>{"set"}, &none).ok());
  ASSERT_TRUE(Setup({"b"}, {"v"}).ok());
  ASSERT_TRUE(Run({{"b", 1}}, {"v"}).ok());
  ASSERT_TRUE(session_->Run(a, {}, std::vector<std::string>{"more"}, &none).ok());
  EXPECT_EQ(outputs_.at(0).scalar<float>(), 2);
}

// F12.
TEST_P(PartialRuns, TakeNoHandles) {
  ASSERT_TRUE(session_
                  ->Extend(MakeGraph({MakeNode("handle", "Placeholder", {}, {{"dtype", DType::kResource}}),
                                      MakeNode("is_set", "VarIsInitializedOp", {"handle"}, {})}))
                  .ok());
  EXPECT_EQ(Setup({"handle"}, {"is_set"}).code(), Code::kInvalidArgument);
}

// A piece may wait for what another one brings, which is the last, and ends first.
TEST_P(PartialRuns, WaitForEachOther) {
  const std::vector<DType> floats = {DType::kFloat};
  const AttrMap queue = {{"component_types", floats}, {"shared_name", std::string("between")}};
  ASSERT_TRUE(session_
                  ->Extend(MakeGraph({MakeNode("queue", "FIFOQueueV2", {}, queue),
                                      MakeNode("taken", "QueueDequeueV2", {"queue"}, {{"component_types", floats}}),
                                      MakeNode("put", "QueueEnqueueV2", {"queue", "b"}, {{"Tcomponents", floats}}),
                                      Add("both", "taken", "a")}))
                  .ok());
  for (int round = 0; round < 20; ++round) {
    ASSERT_TRUE(Setup({"a", "b"}, {"both"}, {"put"}).ok());
    std::vector<Tensor> both, none;
    Status first, last;
    std::thread waits([&] {
      const std::vector<Feed> a = {{"a", MakeScalar(1.0F)}};
      first = session_->PartialRun(handle_, a, std::vector<std::string>{"both"}, &both);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(round % 3));
    const std::vector<Feed> b = {{"b", MakeScalar(4.0F)}};
    last = session_->PartialRun(handle_, b, {}, &none);
    waits.join();
    ASSERT_TRUE(first.ok() && last.ok()) << first.ToString() << "; " << last.ToString();
    EXPECT_EQ(both.at(0).scalar<float>(), 5);
  }
}

}  // namespace
}  // namespace plumb
