#include "spec/graph/meta_graph_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumb {
namespace {

using ::testing::ElementsAre;

TEST(MetaGraphWriter, WritesWhatIsReadAgain) {
  SavedProgram program;
  program.graph.nodes.resize(1);
  program.graph.nodes[0].name = "a";
  program.graph.nodes[0].op = "NoOp";
  program.saver = {"save/Const", "save/control_dependency", "save/restore_all"};
  program.variables = {
      {"v", "v/Assign", "v/read", "one", true},
      {"n/part_1", "n/part_1/Assign", "n/part_1/read", "init:1", false, SliceExtents{"n", {5, 2}, {3, 0}, {2, 2}}}};
  program.local_variables = {{"e", "e/Assign", "e/read", "zero", false}};
  program.queue_runners = {{"q", {"e1", "e2"}, "c", "x", {Code::kOutOfRange, Code::kCancelled}}};
  const MetaGraph meta = ParseMetaGraph(SerializeMetaGraph(program));
  EXPECT_EQ(meta.graph.nodes.at(0).name, "a");
  EXPECT_EQ(meta.saver.filename, "save/Const:0");
  EXPECT_EQ(meta.saver.save, "save/control_dependency:0");
  EXPECT_EQ(meta.saver.restore, "save/restore_all");
  const std::string v = "\n\003v:0\022\010v/Assign\032\010v/read:02\005one:08\001";
  // As TensorFlow 2.12 writes them.
  const std::string n(
      "\n\nn/part_1:0\022\017n/part_1/Assign\032\017n/part_1/read:0"
      "\"\017\n\001n\022\002\005\002\032\002\003\000\"\002\002\0022\006init:1",
      71);
  EXPECT_THAT(meta.Collection("variables"), ElementsAre(v, n));
  EXPECT_THAT(meta.Collection("trainable_variables"), ElementsAre(v));
  EXPECT_THAT(meta.local_initializers, ElementsAre("e/Assign"));
  ASSERT_EQ(meta.queue_runners.size(), 1U);
  EXPECT_EQ(meta.queue_runners[0].queue, "q");
  EXPECT_THAT(meta.queue_runners[0].enqueue, ElementsAre("e1", "e2"));
  EXPECT_EQ(meta.queue_runners[0].close, "c");
  EXPECT_EQ(meta.queue_runners[0].cancel, "x");
  EXPECT_THAT(meta.queue_runners[0].closed_statuses, ElementsAre(Code::kOutOfRange, Code::kCancelled));
  EXPECT_TRUE(ParseMetaGraph(SerializeMetaGraph({program.graph, {}, 5, 1, false, {}, {}, {}})).collections.empty());
}

}  // namespace
}  // namespace plumb
