#include "spec/validate/signatures.h"

#include <gtest/gtest.h>

#include "spec/core/status_testing.h"
#include "spec/graph/function_testing.h"
#include "spec/graph/graph.h"

namespace plumb {
namespace {

TEST(Signatures, ALengthThatNoGraphMeansIsRefused) {
  const auto code_of = [](int64_t count) {
    const AttrMap attrs = {{"T", DType::kFloat}, {"num", count}};
    return StatusOf([&] {
             Graph::Load(MakeGraph({MakeConst("x", MakeScalar(0.F)), MakeNode("parts", "Unpack", {"x"}, attrs)}));
           })
        .code();
  };
  EXPECT_EQ(code_of(1 << 16), Code::kOk);
  EXPECT_EQ(code_of((1 << 16) + 1), Code::kInvalidArgument);
}

// The constant has an output, 16 nodes have as many as there may be of one, and the last one those that are left.
TEST(Signatures, OutputsStayInProportionToTheGraph) {
  constexpr int kNodes = 18;
  const auto status_of = [](int64_t last) {
    std::vector<NodeDef> nodes = {MakeConst("x", MakeScalar(0.F))};
    for (int i = 0; i < kNodes - 1; ++i) {
      const int64_t count = i == kNodes - 2 ? last : 1 << 16;
      nodes.push_back(MakeNode(Str("parts", i), "Unpack", {"x"}, {{"T", DType::kFloat}, {"num", count}}));
    }
    return StatusOf([&] { Graph::Load(MakeGraph(nodes)); });
  };
  const int64_t left = static_cast<int64_t>(MostOutputs(kNodes)) - 1 - int64_t{kNodes - 2} * (1 << 16);
  EXPECT_TRUE(status_of(left).ok());
  const Status status = status_of(left + 1);
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_NE(status.message().find("more outputs"), std::string::npos) << status.message();
}

}  // namespace
}  // namespace plumb
