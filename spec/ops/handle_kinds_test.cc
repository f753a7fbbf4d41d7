#include "spec/ops/handle_kinds.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "spec/core/status.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/equivalence.h"

namespace plumb {
namespace {

TEST(HandleKinds, AreThoseOfTheRows) {
  std::set<std::string_view> known, used;
  for (const HandleKind& kind : HandleKinds()) EXPECT_TRUE(known.insert(kind.name).second) << kind.name;
  for (const OpDef* op : AllOps()) {
    for (const auto* args : {&op->inputs, &op->outputs}) {
      for (const ArgDef& arg : *args) {
        if (LeadsSomewhere(arg)) used.insert(arg.handle);
      }
    }
  }
  EXPECT_EQ(known, used);
}

ArgDef Handle(const std::string& kind) {
  ArgDef arg;
  arg.type = DType::kResource;
  arg.handle = kind;
  return arg;
}

TEST(HandleKinds, WhatMakesItsUsersWaitStaysOnTheHost) {
  EXPECT_TRUE(LeadsToTheHost(Handle("Queue")));
  EXPECT_TRUE(LeadsToTheHost(Handle("Mutex")));
  EXPECT_FALSE(LeadsToTheHost(Handle("Variable")));
  EXPECT_FALSE(LeadsToTheHost(Handle("Stack")));
  EXPECT_FALSE(LeadsToTheHost(Handle("")));
  EXPECT_FALSE(LeadsToTheHost(GetOp("Svd").outputs[1]));  // brackets that say what answers are the same
  EXPECT_THROW(LeadsToTheHost(Handle("queue")), Error);
}

}  // namespace
}  // namespace plumb
