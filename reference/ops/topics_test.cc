#include "reference/ops/topics.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "spec/graph/function_calls.h"
#include "spec/ops/catalogue.h"

namespace plumb::reference {
namespace {

// What the step itself does (prune.cc says how).
bool IsRuleOfTheStep(const OpDef& op) {
  switch (op.kind) {
    case OpKind::kSwitch:
    case OpKind::kMerge:
    case OpKind::kEnter:
    case OpKind::kExit:
    case OpKind::kNextIteration:
    case OpKind::kSend:
    case OpKind::kRecv:
      return true;
    default:
      return IsCall(op.kind);
  }
}

TEST(Topics, EveryOpHasAKernelOrIsARuleOfTheStep) {
  for (const OpDef* op : AllOps()) {
    EXPECT_NE(FindKernel(op->name) != nullptr, IsRuleOfTheStep(*op)) << op->name;
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
