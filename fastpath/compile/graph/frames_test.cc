#include "fastpath/compile/graph/frames.h"

#include <gtest/gtest.h>

#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

constexpr DType kInt = DType::kInt32;

int FrameOf(const StepGraph& graph, const FrameMap& frames, const std::string& name) {
  return frames.of_node[&NodeOf(graph, name) - graph.nodes.data()];
}

TEST(Frames, EnterAndExitBelongToTheirInputs) {
  TestGraph graph;
  graph.Int("c", 1);
  graph.Enter("outer", kInt, {"c"}, "o");
  graph.Enter("inner", kInt, {"outer"}, "i");
  graph.Op("body", "Neg", kInt, {"inner"});
  graph.Op("leave", "Exit", kInt, {"body"});
  graph.Op("after", "Neg", kInt, {"leave"});
  graph.Op("end", "Exit", kInt, {"after"});
  const StepGraph step = PruneFor(graph, {}, {"end"});
  const FrameMap frames = AnalyzeFrames(step);
  ASSERT_EQ(frames.frames.size(), 3u);
  EXPECT_EQ(FrameOf(step, frames, "c"), 0);
  EXPECT_EQ(FrameOf(step, frames, "outer"), 0);
  EXPECT_EQ(frames.frames[FrameOf(step, frames, "inner")].name, "o");
  EXPECT_EQ(frames.frames[FrameOf(step, frames, "body")].name, "i");
  EXPECT_EQ(FrameOf(step, frames, "leave"), FrameOf(step, frames, "body"));
  EXPECT_EQ(frames.frames[FrameOf(step, frames, "after")].name, "o");
  EXPECT_EQ(frames.frames[FrameOf(step, frames, "after")].enters, 1);
  EXPECT_EQ(frames.of_node.back(), 0) << "the fetch";
}

// X12: a frame has one parent and a name.
TEST(Frames, HaveANameAndOneParent) {
  TestGraph two_parents;
  two_parents.Int("c", 1);
  two_parents.Enter("outer", kInt, {"c"}, "o");
  two_parents.Enter("from_root", kInt, {"c"}, "i");
  two_parents.Enter("from_outer", kInt, {"outer"}, "i");
  try {
    AnalyzeFrames(PruneFor(two_parents, {}, {}, {"from_root", "from_outer"}));
    FAIL() << "a frame with two parents was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kInternal);
  }
  TestGraph nameless;
  nameless.Int("c", 1);
  nameless.Enter("e", kInt, {"c"}, "");
  EXPECT_THROW(AnalyzeFrames(PruneFor(nameless, {}, {}, {"e"})), Error);
}

// F10: a feed is a source in the root frame.
TEST(Frames, AFeedInsideAFrameIsAnInputFromAnother) {
  TestGraph graph;
  graph.Int("c", 1);
  graph.Enter("a", kInt, {"c"}, "f");
  graph.Op("b", "Neg", kInt, {"a"});
  graph.Op("sum", "Add", kInt, {"a", "b"});
  EXPECT_NO_THROW(AnalyzeFrames(PruneFor(graph, {}, {}, {"sum"})));
  EXPECT_THROW(AnalyzeFrames(PruneFor(graph, {"b"}, {}, {"sum"})), Error);
}

// X11: no other input says where a Merge lies that only back edges reach.
TEST(Frames, AMergeOfBackEdgesAloneLiesInTheirFrame) {
  TestGraph graph;
  graph.Int("c", 1);
  graph.Enter("e", kInt, {"c"}, "f");
  graph.Merge("merge", kInt, {"next", "again"}, 2);
  graph.Op("body", "Neg", kInt, {"merge"});
  graph.Op("again", "NextIteration", kInt, {"body"});
  graph.Op("next", "NextIteration", kInt, {"e"});
  graph.Op("leave", "Exit", kInt, {"body"});
  const StepGraph step = PruneFor(graph, {}, {"leave"});
  const FrameMap frames = AnalyzeFrames(step);
  for (const char* name : {"merge", "body", "again", "leave"}) {
    EXPECT_EQ(frames.frames[FrameOf(step, frames, name)].name, "f") << name;
  }
}

// X11: a control edge from a NextIteration to a Merge goes to the next iteration of their one frame.
TEST(Frames, AMergeTakesNoControlFromTheBackEdgeOfAnotherFrame) {
  for (const std::string other : {"f", "g"}) {
    TestGraph graph;
    graph.Int("c", 1);
    graph.Enter("e", kInt, {"c"}, "f");
    graph.Enter("e2", kInt, {"c"}, other);
    graph.Op("next", "NextIteration", kInt, {"e2"});
    graph.Merge("merge", kInt, {"e", "e", "^next"}, 2);
    graph.Op("leave", "Exit", kInt, {"merge"});
    const StepGraph step = PruneFor(graph, {}, {"leave"});
    if (other == "f") {
      EXPECT_NO_THROW(AnalyzeFrames(step));
    } else {
      EXPECT_THROW(AnalyzeFrames(step), Error);
    }
  }
}

}  // namespace
}  // namespace plumb::fast
