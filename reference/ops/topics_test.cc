#include "reference/ops/topics.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "spec/ops/catalogue.h"

namespace plumb::reference {
namespace {

// What the step itself does (prune.cc says how).
const std::set<std::string_view> kRulesOfTheStep = {
    "Switch", "RefSwitch", "Merge",         "RefMerge",         "Enter", "RefEnter",
    "Exit",   "RefExit",   "NextIteration", "RefNextIteration", "_Send", "_Recv",
};

TEST(Topics, EveryOpHasAKernelOrIsARuleOfTheStep) {
  for (const OpDef* op : AllOps()) {
    EXPECT_NE(FindKernel(op->name) != nullptr, kRulesOfTheStep.contains(op->name)) << op->name;
  }
}

TEST(Topics, EveryKernelIsOfOneOpInOneTopic) {
  std::set<std::string_view> ops;
#define PLUMB_CHECK_TOPIC(name)                                   \
  for (const KernelRow& row : topics::name()) {                   \
    EXPECT_NE(FindOp(row.op), nullptr) << #name << " " << row.op; \
    EXPECT_TRUE(ops.insert(row.op).second) << row.op << " twice"; \
  }
  PLUMB_REFERENCE_TOPICS(PLUMB_CHECK_TOPIC)
#undef PLUMB_CHECK_TOPIC
}

}  // namespace
}  // namespace plumb::reference
