// What the trial of an op goes through: every type, seed, size and device that it has to, and what it says of them.
#include "conformance/suites/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conformance/suites/lattice.h"
#include "conformance/suites/ops_testing.h"
#include "reference/session.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

Backend With(const Mistake& mistake, const std::string& name = "mistaken") {
  return {name, [=] { return std::make_unique<Mistaken>(mistake); }, [](std::string_view) { return true; }};
}
OpResult TriedOn(const Backend& backend, const OpsOptions& options) {
  const auto results = RunOps(backend, options, [](const OpResult&) {});
  EXPECT_EQ(results.size(), 1u);
  return results.at(0);
}

// The lowest bit of the first element; of a string, its last letter.
void SpoilOne(Tensor& tensor) {
  if (tensor.elements() == 0) return;
  if (tensor.dtype() == DType::kString) {
    tensor.mutable_data<std::string>()[0] += '.';
  } else {
    static_cast<unsigned char*>(tensor.mutable_raw())[0] ^= 1;
  }
}

TEST(Trial, ComparesValuesOfEveryType) {
  const auto results = AllTried("Identity", {.spoil = SpoilOne});
  EXPECT_EQ(results.size(), VariantsOf(GetOp("Identity")).size());
  for (const OpResult& result : results) {
    EXPECT_EQ(result.outcome, Outcome::kFailed) << result.type;
    EXPECT_EQ(result.gate, "exact") << result.type;
  }
}

// What is cached for the sizes of one case meets those of the next.
TEST(Trial, ASessionTakesOneCaseAfterTheOther) {
  const auto open = [] {
    const auto outputs = std::make_shared<int>(0);
    return std::make_unique<Mistaken>(Mistake{.spoil = [outputs](Tensor& tensor) {
      if (++*outputs > 1) SpoilOne(tensor);
    }});
  };
  const Backend backend{"forgetful", open, [](std::string_view) { return true; }};
  EXPECT_EQ(TriedOn(backend, {.filter = "Identity/T=float32"}).gate, "exact");
}

// What a kernel keeps shows in a second step alone, where nothing else looks at it.
TEST(Trial, AStatefulOpIsTriedAgainInItsSession) {
  const auto open = [] {
    const auto outputs = std::make_shared<int>(0);
    return std::make_unique<Mistaken>(Mistake{.spoil = [outputs](Tensor& tensor) {
      if (++*outputs > 3) SpoilOne(tensor);  // those of the first step are right
    }});
  };
  const Backend backend{"forgetful", open, [](std::string_view) { return true; }};
  EXPECT_EQ(TriedOn(backend, {.filter = "LearnedUnigramCandidateSampler"}).outcome, Outcome::kFailed);
}

// Of ops that are exact to the bit; of others a zero is a zero.
TEST(Trial, ZerosOfExactOpsHaveSigns) {
  const auto spoil = [](Tensor& tensor) {
    if (tensor.dtype() != DType::kFloat) return;
    for (float& x : tensor.mutable_data<float>()) x = x == 0 ? -x : x;
  };
  for (const char* exact : {"Neg/T=float32", "Identity/T=float32"}) {
    EXPECT_EQ(Tried(exact, spoil).outcome, Outcome::kFailed) << exact;
  }
  EXPECT_EQ(Tried("Sin/T=float32", spoil).outcome, Outcome::kPassed);
}

// Seed by seed from the first one on. What fails with the inputs of one of them is shown again by that one.
TEST(Trial, AFailureIsOfTheSeedThatDrewIt) {
  for (const uint64_t seed : {5, 6, 7}) {
    const Tensor drawn = SampleInputs(GetOp("Neg"), {{"T", DType::kFloat}}, seed).at(0).inputs.at(0);
    const Mistake lacking{.lacks = [=](const GraphDef&, std::span<const Feed> feeds) {
      return !feeds.empty() && feeds[0].second.BitwiseEquals(drawn);
    }};
    const OpResult result = TriedOn(With(lacking, "cpu"), {.filter = "Neg/T=float32", .seed = 5, .rounds = 3});
    EXPECT_EQ(result.outcome, Outcome::kFailed) << seed;
    EXPECT_EQ(result.reproduce,
              Str("plumb conformance ops --backend cpu --filter Neg/T=float32 --seed ", seed, " --rounds 1"));
  }
}

// A mistake that shows where some size is in the thousands. Sums and formulas meet it on long inputs, others on large.
TEST(Trial, SumsAndFormulasAreTriedOnLongInputs) {
  const auto spoil = [](Tensor& tensor) {
    for (const int64_t dim : tensor.shape().dims()) {
      if (dim < 1000 || tensor.elements() == 0) continue;
      tensor.mutable_data<float>()[0] += 1;
      return;
    }
  };
  for (const auto& [filter, flavour] :
       {std::pair("MatMul/T=float32", ", long"), {"Softmax/T=float32", ", long"}, {"Neg/T=float32", ", large"}}) {
    const OpResult result = Tried(filter, spoil);
    EXPECT_EQ(result.outcome, Outcome::kFailed) << filter;
    EXPECT_THAT(result.detail, HasSubstr(flavour)) << filter;
  }
}

// float32 stands for all types, in every alternative of the largest products; double has the first one.
TEST(Trial, TheLargestSumsAreTriedInEveryAlternativeOfOneType) {
  constexpr int64_t kLargest = 1 << 23;
  const auto alternatives = SampleLargeInputs(GetOp("MatMul"), {{"T", DType::kFloat}}, 1, kLargest).size();
  ASSERT_GT(alternatives, 1u);
  const OpsOptions options{.filter = "MatMul/T=float32", .seed = 1, .rounds = 1};
  OpsOptions of_double = options;
  of_double.filter = "MatMul/T=float64";
  const OpResult all = TriedOn(With({}), options), first = TriedOn(With({}), of_double);
  EXPECT_EQ(all.outcome, Outcome::kPassed) << all.detail;
  EXPECT_EQ(all.cases - first.cases, static_cast<int>(alternatives) - 1);
  EXPECT_GT(all.sharp, 0) << "long sums are held to the sharp limit";
  EXPECT_LT(all.sharp, all.compared);
}

// A product of matrices of which the second alone is empty: no sample's first name makes it so.
TEST(Trial, EachSizeThatMayBeZeroIsZeroByItself) {
  const Mistake lacking{.lacks = [](const GraphDef&, std::span<const Feed> feeds) {
    return feeds.size() == 2 && feeds[0].second.elements() > 0 && feeds[1].second.elements() == 0;
  }};
  const OpsOptions options{.filter = "MatMul/T=float32", .seed = 1, .rounds = 1};
  const OpResult result = TriedOn(With(lacking, "cpu"), options);
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_THAT(result.detail, HasSubstr(", empty, name "));
}

// A layout that is lacking for large images only.
TEST(Trial, ValuesOfAttributesAreTriedOnLargeSizes) {
  const Mistake lacking{.lacks = [](const GraphDef& graph, std::span<const Feed> feeds) {
    constexpr int64_t kMany = 1 << 12;
    bool turned = false;
    for (const NodeDef& node : graph.nodes) {
      const auto format = node.attrs.find("data_format");
      turned |= format != node.attrs.end() && format->second == AttrValue("NCHW");
    }
    return turned && !feeds.empty() && feeds[0].second.elements() > kMany;
  }};
  const OpResult result = TriedOn(With(lacking, "cpu"), {.filter = "MaxPool/T=float32", .seed = 1, .rounds = 1});
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_THAT(result.detail, testing::AllOf(HasSubstr(", large"), HasSubstr("data_format=NCHW")));
}

// The boldest of those that were needed.
TEST(Trial, SaysWhatJudgedWhatPassed) {
  EXPECT_EQ(Tried("Neg/T=int32", Mistake{}).gate, "exact");
  EXPECT_EQ(Tried("Softplus/T=float32", Mistake{}).gate, "computed bound");
  EXPECT_NE(Tried("MatMul/T=float32", Mistake{}).gate, "exact");
}

// The reference, with an error of half a bound in every number: towards zero in all of them, or away from it in every
// second one. Data on the lattice leaves no room.
class Erring : public reference::ReferenceSession {
 public:
  // `errors`: how many there have been, in whichever session.
  Erring(bool one_way, std::shared_ptr<int64_t> errors) : one_way_(one_way), errors_(std::move(errors)) {}
  using Session::Run;
  Status Run(const RunOptions&, std::span<const Feed> feeds, std::span<const std::string> fetches,
             std::span<const std::string> targets, std::vector<Tensor>* outputs, RunMetadata*) override {
    const bool on_lattice =
        std::all_of(feeds.begin(), feeds.end(), [](const Feed& feed) { return OnLattice(feed.second); });
    std::vector<reference::Value> values;
    const std::vector<reference::ValueFeed> given(feeds.begin(), feeds.end());
    reference::Mode mode;
    mode.bounds = mode.sharp = true;
    Status status = RunValues(given, fetches, targets, &values, mode);
    outputs->clear();
    for (const reference::Value& value : values) outputs->push_back(on_lattice ? value.tensor : Erred(value));
    return status;
  }

 private:
  Tensor Erred(const reference::Value& value) {
    Tensor erred = value.tensor.Clone();
    float* const numbers = erred.mutable_data<float>().data();
    for (int64_t i = 0; value.bound != nullptr && i < erred.elements(); ++i) {
      const bool is_outward = !one_way_ && ++*errors_ % 2 == 0;
      const double error = (*value.bound)[static_cast<size_t>(i)] / 2;
      if (!std::isfinite(error) || !std::isfinite(numbers[i])) continue;
      numbers[i] = static_cast<float>(numbers[i] + std::copysign(error, is_outward ? numbers[i] : -numbers[i]));
    }
    return erred;
  }

  const bool one_way_;
  const std::shared_ptr<int64_t> errors_;
};

// Each of them is small enough.
TEST(Trial, ErrorsOfSumsThatLeanOneWayAreAFailure) {
  const auto tried = [](bool one_way) {
    const auto errors = std::make_shared<int64_t>(0);
    const Backend erring{"erring", [=] { return std::make_unique<Erring>(one_way, errors); },
                         [](std::string_view) { return true; }};
    return TriedOn(erring, {.filter = "MatMul/T=float32", .seed = 1, .rounds = 8});
  };
  const OpResult one_way = tried(true), both_ways = tried(false);
  EXPECT_EQ(one_way.outcome, Outcome::kFailed);
  EXPECT_EQ(one_way.gate, "bound");
  EXPECT_THAT(one_way.detail, HasSubstr("the errors are biased: -"));
  EXPECT_EQ(both_ways.outcome, Outcome::kPassed) << both_ways.detail;
}

TEST(Trial, WhatGaveNoValuesHasDrawnNothing) {
  const OpResult result = Tried("MatMul/T=float32", Mistake{.values_more = 1});
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_THAT(result.drawn, IsEmpty());
  EXPECT_EQ(result.compared, 0);
}

TEST(Trial, TypesWithoutASampleAreUnsupported) {
  const OpResult result = Tried("Cast/SrcT=string DstT=float32", Mistake{});
  EXPECT_EQ(result.outcome, Outcome::kUnsupported);
  EXPECT_EQ(result.detail, "no sample for these types");
  EXPECT_EQ(result.cases, 0);
}

// ---- Devices -------------------------------------------------------------------------------------------------------

// Says of each step on which devices it ran the node that is tried: on those of the next entry, time and again.
class Traced : public Mistaken {
 public:
  using Entries = std::vector<std::vector<std::string>>;
  Traced(Entries entries, std::shared_ptr<size_t> next)
      : Mistaken({}), entries_(std::move(entries)), next_(std::move(next)) {}
  using Session::Run;
  Status Run(const RunOptions& options, std::span<const Feed> feeds, std::span<const std::string> fetches,
             std::span<const std::string> targets, std::vector<Tensor>* outputs, RunMetadata* metadata) override {
    for (const std::string& device : entries_.at((*next_)++ % entries_.size())) {
      metadata->step_stats.push_back({"/job:localhost/replica:0/task:0/device:" + device, {}});
      metadata->step_stats.back().nodes.push_back({kTried, "Neg"});
    }
    return Mistaken::Run(options, feeds, fetches, targets, outputs, nullptr);
  }

 private:
  const Entries entries_;
  const std::shared_ptr<size_t> next_;
};
OpResult RanOn(const Traced::Entries& entries) {
  const auto next = std::make_shared<size_t>(0);
  Backend backend{"traced", [=] { return std::make_unique<Traced>(entries, next); },
                  [](std::string_view) { return true; }};
  backend.device = "/device:SIM:0";
  return TriedOn(backend, {.filter = "Neg/T=float32", .seed = 1, .rounds = 1});
}

TEST(TrialOnADevice, PassesWithWhatRanThereAlone) {
  const OpResult there = RanOn({{"SIM:0"}});
  EXPECT_EQ(there.outcome, Outcome::kPassed) << there.detail;
  EXPECT_EQ(there.elsewhere, 0);
  EXPECT_GT(there.compared, 0);
  for (const auto& [devices, detail] :
       {std::pair(std::vector<std::string>{"CPU:0"}, "it ran on /job:localhost/replica:0/task:0/device:CPU:0"),
        {{"SIM:0", "CPU:0"}, "it ran on /job:localhost/replica:0/task:0/device:CPU:0"},
        {{"SIM:1", "CPU:0"},
         "it ran on /job:localhost/replica:0/task:0/device:CPU:0, /job:localhost/replica:0/task:0/device:SIM:1"},
        {{}, "no trace shows it on /device:SIM:0"}}) {
    const OpResult result = RanOn({devices});
    EXPECT_EQ(result.outcome, Outcome::kElsewhere) << detail;
    EXPECT_EQ(result.detail, detail);
    EXPECT_EQ(result.gate, "");
    EXPECT_EQ(result.compared, 0);
    EXPECT_EQ(result.elsewhere, result.cases);
  }
}

// Every second case is there, and what is compared is theirs.
TEST(TrialOnADevice, CountsWhatRanThere) {
  const OpResult all = RanOn({{"SIM:0"}}), half = RanOn({{"SIM:0"}, {"CPU:0"}});
  EXPECT_EQ(half.outcome, Outcome::kPassed);
  EXPECT_EQ(half.gate, all.gate);
  EXPECT_EQ(half.cases, all.cases);
  EXPECT_EQ(half.elsewhere, half.cases / 2);
  EXPECT_GT(half.compared, 0);
  EXPECT_LT(half.compared, all.compared);
}

// A type for which the device has no kernel is not tried, and no other suffers for it.
TEST(TrialOnADevice, WhatHasNoKernelThereIsElsewhere) {
  Backend backend = With({});
  backend.has_on_device = [](std::string_view op, const AttrMap& types) {
    return op == "Neg" && types.at("T") != AttrValue(DType::kFloat);
  };
  const auto results = RunOps(backend, {.filter = "Neg", .seed = 1, .rounds = 1}, [](const OpResult&) {});
  EXPECT_GT(results.size(), 3u);
  for (const OpResult& result : results) {
    const bool is_there = result.type != "T=float32";
    EXPECT_EQ(result.outcome, is_there ? Outcome::kPassed : Outcome::kElsewhere) << result.type;
    EXPECT_EQ(result.cases > 0, is_there) << result.type;
    EXPECT_EQ(result.compared > 0, is_there) << result.type;
  }
}

}  // namespace
}  // namespace plumb::conformance
