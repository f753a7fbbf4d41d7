#include "spec/graph/saver_names.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

MetaGraph GraphOf(const std::vector<std::string>& names, SaverNodes saver = {}) {
  MetaGraph meta;
  for (const std::string& name : names) meta.graph.nodes.emplace_back().name = name;
  meta.saver = std::move(saver);
  return meta;
}

// Z61.
TEST(SaverNames, AreThoseOfTheMetaGraphOrTheUsualOnes) {
  const SaverNodes said = {"p:0", "s:0", "r"};
  const auto own = SaverOf(GraphOf({"p", "r"}, said));
  ASSERT_TRUE(own.has_value());
  EXPECT_EQ(own->filename, "p:0");
  EXPECT_EQ(own->save, "s:0");
  EXPECT_EQ(own->restore, "r");
  EXPECT_EQ(SaverOf(GraphOf({"save/Const", "save/restore_all"}, said))->restore, "save/restore_all");
  EXPECT_EQ(SaverOf(GraphOf({"save/Const", "save/restore_all"}))->filename, "save/Const:0");
  EXPECT_FALSE(SaverOf(GraphOf({"p"}, said)).has_value());
  EXPECT_FALSE(SaverOf(GraphOf({})).has_value());
}

}  // namespace
}  // namespace plumb
