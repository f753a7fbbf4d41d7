// No kernel of the CPU reads or writes beside its tensors, nor leaves out what it gives: with fences around all memory
// every op answers as it should.
#include <gtest/gtest.h>

#include "conformance/suites/ops.h"
#include "conformance/suites/ops_testing.h"

namespace plumb::conformance {
namespace {

OpsOptions Fenced(const std::string& filter = "") {
  return {.filter = filter, .rounds = 1, .jobs = 2, .is_quick = true, .has_fences = true};
}

std::vector<OpResult> TriedOn(const Backend& backend, const OpsOptions& options) {
  return RunOps(backend, options, [](const OpResult&) {});
}

OpResult TriedWith(const std::function<void(Tensor&)>& spoil) {
  const Backend backend{"mistaken", [=] { return std::make_unique<Mistaken>(Mistake{.spoil = spoil}); },
                        [](std::string_view) { return true; }};
  const auto results = TriedOn(backend, Fenced("Neg/T=float32"));
  EXPECT_EQ(results.size(), 1u);
  return results.at(0);
}

TEST(FencedOps, AnswerAsTheyShould) {
  size_t passed = 0;
  for (const OpResult& result : TriedOn(FindBackend("cpu"), Fenced())) {
    EXPECT_NE(result.outcome, Outcome::kFailed) << result.op << " " << result.type << ": " << result.detail;
    passed += result.outcome == Outcome::kPassed;
  }
  EXPECT_GT(passed, 0u);
}

TEST(FencedOps, WhoWritesBehindATensorHasCrashed) {
  EXPECT_EQ(TriedWith([](Tensor&) {}).outcome, Outcome::kPassed);
  const OpResult result = TriedWith([](Tensor& tensor) {
    volatile auto* const elements = static_cast<float*>(tensor.mutable_raw());
    elements[tensor.elements()] = 0;
  });
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(result.gate, "crash");
}

// What nobody wrote is no number that could be right by chance.
TEST(FencedOps, WhatIsLeftOutShows) {
  const OpResult result = TriedWith([](Tensor& tensor) {
    const Tensor whole = tensor.Clone();
    tensor = Tensor(whole.dtype(), whole.shape());
    for (int64_t i = 1; i < whole.elements(); ++i) tensor.mutable_data<float>()[i] = whole.data<float>()[i];
  });
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(result.gate, "exact");
}

}  // namespace
}  // namespace plumb::conformance
