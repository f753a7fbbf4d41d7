// Backends that are tried together are judged as each is alone.
#include "conformance/suites/answers.h"

#include <gtest/gtest.h>

#include <csignal>

#include "conformance/suites/ops_testing.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

SingleNode Drawn(const char* op, uint64_t seed) {
  const OpDef& row = GetOp(op);
  return MakeSingleNode(row, SampleInputs(row, {{"T", DType::kFloat}}, seed).at(0));
}

Backend Spoilt(const std::string& name, const std::function<void(Tensor&)>& spoil) {
  return {name, [=] { return std::make_unique<Mistaken>(Mistake{.spoil = spoil}); },
          [](std::string_view) { return true; }};
}
void Keep(Tensor&) {}
void Negate(Tensor& tensor) {
  if (tensor.dtype() != DType::kFloat) return;
  for (float& x : tensor.mutable_data<float>()) x = -x;
}

TEST(KnownAnswers, TheSameInputsHaveTheSameAnswers) {
  KnownAnswers answers(2);
  const auto first = answers.Of(Drawn("Exp", 1));
  EXPECT_EQ(answers.Of(Drawn("Exp", 1)), first);
  EXPECT_NE(answers.Of(Drawn("Exp", 2)), first);
  EXPECT_NE(answers.Of(Drawn("Log", 1)), first);
  KnownAnswers of_one(1);
  const auto alone = of_one.Of(Drawn("Exp", 1));
  EXPECT_NE(of_one.Of(Drawn("Exp", 1)), alone);
}

TEST(KnownAnswers, AreAskedForOnce) {
  Answers answers(Drawn("AssignAdd", 1));
  const SingleNode& single = answers.single();
  ASSERT_TRUE(answers.To(0, single.initialize).status.ok());
  const Tensor added = answers.To(1, single.run).values.at(0).tensor;
  // A second run would add once more.
  EXPECT_TRUE(answers.To(1, single.run).values.at(0).tensor.BitwiseEquals(added));
  EXPECT_TRUE(answers.To(2, single.inspect).values.at(0).tensor.BitwiseEquals(added));
  EXPECT_GE(answers.bytes(), 2 * added.bytes());
}

// Also when later steps have been taken.
TEST(KnownAnswers, AStepIsSampledAsItWas) {
  Answers answers(Drawn("AssignAdd", 1)), short_of_the_end(Drawn("AssignAdd", 1));
  const SingleNode& single = answers.single();
  for (Answers* asked : {&answers, &short_of_the_end}) {
    asked->To(0, single.initialize);
    asked->To(1, single.run);
  }
  answers.To(2, single.run);  // which adds once more
  const auto sampled = answers.Sampler(1, 0)(), expected = short_of_the_end.Sampler(1, 0)();
  ASSERT_EQ(sampled.size(), expected.size());
  ASSERT_FALSE(sampled.empty());
  for (size_t i = 0; i < sampled.size(); ++i) EXPECT_TRUE(sampled[i].BitwiseEquals(expected[i]));
}

TEST(OpsOnEach, EachIsJudgedByItself) {
  const std::vector<Backend> backends = {Spoilt("good", Keep), Spoilt("bad", Negate), Spoilt("good too", Keep)};
  const OpsOptions options{.filter = "Exp", .seed = 1, .rounds = 1};
  std::vector<std::string> told;
  const auto results = RunOpsOnEach(backends, options, [&](const Backend& backend, const OpResult&) {
    if (told.empty() || told.back() != backend.name) told.push_back(backend.name);
  });
  EXPECT_EQ(told, (std::vector<std::string>{"good", "bad", "good too"}));
  ASSERT_EQ(results.size(), 3u);
  for (size_t b = 0; b < backends.size(); ++b) {
    const auto alone = RunOps(backends[b], options, [](const OpResult&) {});
    ASSERT_EQ(results[b].size(), alone.size());
    for (size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(results[b][i].type, alone[i].type);
      EXPECT_EQ(results[b][i].outcome, alone[i].outcome) << backends[b].name << " " << alone[i].type;
      EXPECT_EQ(results[b][i].detail, alone[i].detail);
      EXPECT_EQ(results[b][i].compared, alone[i].compared);
      EXPECT_EQ(results[b][i].choices, alone[i].choices);
    }
  }
}

// What one backend's kernels came to, the next one's have not.
TEST(OpsOnEach, EachTakesChoicesOfItsOwn) {
  const auto results =
      RunOpsOnEach({FindBackend("cpu"), Spoilt("good", Keep)}, {.filter = "Neg/T=float32", .seed = 1, .rounds = 1},
                   [](const Backend&, const OpResult&) {});
  EXPECT_FALSE(results[0].at(0).choices.empty());
  EXPECT_TRUE(results[1].at(0).choices.empty());
}

// A crash of one is not the others', nor does one that lacks the op say so again.
TEST(OpsOnEach, ACrashIsOfTheBackendThatCrashed) {
  const Backend lacks{"lacks", [] { return OpenSession("reference"); }, [](std::string_view) { return false; }};
  const std::vector<Backend> backends = {Spoilt("good", Keep), Spoilt("crashes", [](Tensor&) { std::raise(SIGKILL); }),
                                         lacks};
  const auto results =
      RunOpsOnEach(backends, {.filter = "Exp", .seed = 1, .rounds = 1}, [](const Backend&, const OpResult&) {});
  ASSERT_EQ(results[0].size(), results[1].size());
  ASSERT_EQ(results[2].size(), 1u);
  EXPECT_EQ(results[2][0].detail, "no kernel on lacks");
  for (const OpResult& result : results[0]) EXPECT_NE(result.outcome, Outcome::kFailed) << result.detail;
  for (const OpResult& result : results[1]) {
    if (result.outcome == Outcome::kUnsupported) continue;
    EXPECT_EQ(result.outcome, Outcome::kFailed);
    EXPECT_EQ(result.gate, "crash") << result.detail;
  }
}

}  // namespace
}  // namespace plumb::conformance
