#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/validate/control_flow.h"

namespace plumb {
namespace {

using ::testing::HasSubstr;

class Frames : public ::testing::Test {
 protected:
  void Add(std::string name, std::string op, std::vector<std::string> inputs, AttrMap attrs = {}) {
    NodeDef def;
    def.name = std::move(name);
    def.op = std::move(op);
    def.inputs = std::move(inputs);
    def.attrs = std::move(attrs);
    const DType type = def.op == "LoopCond" ? DType::kBool : DType::kFloat;
    if (def.op == "Placeholder") {
      def.attrs.emplace("dtype", type);
    } else if (def.op != "LoopCond") {
      def.attrs.emplace("T", type);
    }
    def_.nodes.push_back(std::move(def));
  }
  void Enter(std::string name, std::string input, std::string frame) {
    Add(std::move(name), "Enter", {std::move(input)}, {{"frame_name", std::move(frame)}});
  }

  FrameMap Check(const std::set<std::string>& fed = {}) {
    const Graph graph = Graph::Load(def_);
    std::set<Endpoint> endpoints;
    for (const std::string& name : fed) endpoints.insert({*graph.Find(name), 0});
    return CheckFrames(graph, std::vector<bool>(graph.size(), true), endpoints);
  }
  std::string Refusal(const std::set<std::string>& fed = {}, Code code = Code::kInvalidArgument) {
    try {
      Check(fed);
      return "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), code);
      return error.what();
    }
  }

  GraphDef def_;
};

TEST_F(Frames, EnterOpensAndExitLeaves) {
  Add("a", "Placeholder", {});
  Enter("outer", "a", "f");
  Enter("inner", "outer", "g");
  Add("back", "Exit", {"inner"});
  Add("out", "Exit", {"back"});
  const FrameMap frames = Check();
  EXPECT_THAT(frames.names, ::testing::ElementsAre("", "f", "g"));
  EXPECT_THAT(frames.parents, ::testing::ElementsAre(-1, 0, 1));
  EXPECT_THAT(frames.of_node, ::testing::ElementsAre(0, 1, 2, 2, 1));
}

TEST_F(Frames, InputsComeFromOneFrame) {
  Add("a", "Placeholder", {});
  Enter("e", "a", "f");
  Add("sum", "AddV2", {"e", "a"});
  EXPECT_THAT(Refusal(), HasSubstr("'sum' (AddV2) has inputs from different frames"));
}

TEST_F(Frames, ANodeWithoutInputsIsInTheRootFrame) {
  Add("a", "Placeholder", {});
  Enter("e", "a", "f");
  Add("stray", "Placeholder", {});
  Add("copy", "Identity", {"stray", "^e"});
  EXPECT_THAT(Refusal(), HasSubstr("'copy'"));
}

TEST_F(Frames, AFedTensorIsInTheRootFrame) {
  Add("a", "Placeholder", {});
  Enter("e", "a", "f");
  Add("inside", "Identity", {"e"});
  Add("sum", "AddV2", {"e", "inside"});
  EXPECT_EQ(Refusal(), "accepted");
  EXPECT_THAT(Refusal({"inside"}), HasSubstr("'sum'"));
}

TEST_F(Frames, AFrameNameHasOneParentAndIsNotEmpty) {
  Add("a", "Placeholder", {});
  Enter("e", "a", "f");
  Enter("again", "e", "f");
  EXPECT_THAT(Refusal({}, Code::kInternal), HasSubstr("two parent frames"));
  def_.nodes[2].attrs["frame_name"] = "";
  EXPECT_THAT(Refusal(), HasSubstr("must have a frame name"));
}

TEST_F(Frames, ExitNeedsAFrame) {
  Add("a", "Placeholder", {});
  Add("out", "Exit", {"a"});
  Add("use", "Identity", {"out"});
  EXPECT_THAT(Refusal(), HasSubstr("'out'"));
}

TEST_F(Frames, OneLoopConditionUnlessItCounts) {
  Add("p", "Placeholder", {}, {{"dtype", DType::kBool}});
  Add("e", "Enter", {"p"}, {{"frame_name", "f"}, {"T", DType::kBool}});
  Add("first", "LoopCond", {"e"});
  Add("second", "LoopCond", {"e"});
  EXPECT_THAT(Refusal(), HasSubstr("two loop conditions"));
  def_.nodes[3].name = "gradients/LoopCounter";
  EXPECT_EQ(Refusal(), "accepted");
}

}  // namespace
}  // namespace plumb
