// F31: a request has one plan for as long as the graph stays as it is, and no request gets another's.
#include "fastpath/session/plan_cache.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <tuple>

namespace plumb::fast {
namespace {

// Known by its address; no step is run.
class NoSteps final : public StepRunner {
 public:
  Status Run(const RunOptions&, std::span<const Tensor>, std::vector<Tensor>*, RunMetadata*) override {
    return OkStatus();
  }
  void RunInside(AsyncContext&, AsyncKernel::Done done) override { done(OkStatus()); }
  void CancelAll(const Status&) override {}
};

using Names = std::vector<std::string>;
using Asked = std::tuple<Names, Names, Names>;  // feeds, fetches, targets

std::shared_ptr<StepRunner> Get(PlanCache& plans, const Asked& asked, const PlanCache::Compiler& compile) {
  std::vector<Feed> feeds;
  for (const std::string& name : std::get<0>(asked)) feeds.emplace_back(name, MakeScalar<float>(0));
  return plans.Get(feeds, std::get<1>(asked), std::get<2>(asked), compile);
}
std::shared_ptr<StepRunner> Get(PlanCache& plans, const Asked& asked) {
  return Get(plans, asked, [] { return std::make_shared<NoSteps>(); });
}

// Up to two short names that look like separators, numbers and each other.
Names AnyNames(std::mt19937& random) {
  const char* const names[] = {"", "a", "b", "ab", ":", ">", "1:a", "1:", "a>1:b", "0:", "\n"};
  Names drawn(random() % 3);
  for (std::string& name : drawn) name = names[random() % std::size(names)];
  return drawn;
}

TEST(PlanCaches, GiveEachRequestAPlanOfItsOwn) {
  std::mt19937 random(1);
  PlanCache plans;
  std::map<Asked, std::shared_ptr<StepRunner>> known;
  for (int i = 0; i < 5000; ++i) {
    const Names feeds = AnyNames(random), fetches = AnyNames(random);
    const Asked asked(feeds, fetches, AnyNames(random));
    const auto [entry, is_new] = known.try_emplace(asked);
    int compiled = 0;
    const std::shared_ptr<StepRunner> plan = Get(plans, asked, [&] {
      ++compiled;
      return std::make_shared<NoSteps>();
    });
    ASSERT_EQ(compiled, is_new ? 1 : 0);
    if (is_new) entry->second = plan;
    ASSERT_EQ(entry->second, plan);
  }
}

TEST(PlanCaches, MakeNewPlansAfterTheyWereCleared) {
  PlanCache plans;
  const Asked asked({"x"}, {"y"}, {});
  const auto before = Get(plans, asked);
  plans.Clear();
  EXPECT_NE(Get(plans, asked), before);
}

// While one client compiles, another extends the graph: the plan of the older graph serves the step that asked for it.
TEST(PlanCaches, KeepNoPlanOfAGraphThatWasExtendedMeanwhile) {
  PlanCache plans;
  const Asked asked({}, {"y"}, {});
  std::shared_ptr<StepRunner> of_older_graph;
  const auto got = Get(plans, asked, [&] {
    plans.Clear();
    return of_older_graph = std::make_shared<NoSteps>();
  });
  EXPECT_EQ(got, of_older_graph);
  EXPECT_NE(Get(plans, asked), of_older_graph);
}

TEST(PlanCaches, KnowAllPlansThatAreAlive) {
  PlanCache plans;
  const auto cached = Get(plans, {{}, {"y"}, {}});
  auto held = std::make_shared<NoSteps>();
  plans.Track(held);
  EXPECT_EQ(plans.Alive().size(), 2u);
  held.reset();
  plans.Clear();
  const auto alive = plans.Alive();
  ASSERT_EQ(alive.size(), 1u) << "whoever has it may run it still";
  EXPECT_EQ(alive[0], cached);
}

}  // namespace
}  // namespace plumb::fast
