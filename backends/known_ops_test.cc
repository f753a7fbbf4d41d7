// Graphs with ops that are known by their signatures alone beside what is run (rules A4, A8).
#include <gtest/gtest.h>

#include "backends/backends.h"
#include "backends/backends_testing.h"
#include "spec/core/tensor.h"
#include "spec/graph/meta_graph.h"

namespace plumb {
namespace {

// What TensorFlow 2.12 writes for a model that is fed either by a dataset or through the placeholder x, with a Python
// function and a debugger's node.
constexpr std::string_view kModel = R"(
  meta_info_def { tensorflow_version: "2.12.1" }
  graph_def {
    versions { producer: 1395 }
    node { name: "elements" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value {
      tensor { dtype: DT_FLOAT tensor_shape { dim { size: 3 } dim { size: 1 } } float_val: 1 } } } }
    node { name: "TensorSliceDataset" op: "TensorSliceDataset" input: "elements"
      attr { key: "Toutput_types" value { list { type: DT_FLOAT } } }
      attr { key: "is_files" value { b: false } } attr { key: "metadata" value { s: "" } }
      attr { key: "output_shapes" value { list { shape { dim { size: 1 } } } } }
      attr { key: "replicate_on_split" value { b: false } } }
    node { name: "IteratorV2" op: "IteratorV2"
      attr { key: "_class" value { list { s: "loc:@TensorSliceDataset" } } } attr { key: "container" value { s: "" } }
      attr { key: "output_shapes" value { list { shape { dim { size: 1 } } } } }
      attr { key: "output_types" value { list { type: DT_FLOAT } } } attr { key: "shared_name" value { s: "" } } }
    node { name: "MakeIterator" op: "MakeIterator" input: "TensorSliceDataset" input: "IteratorV2"
      attr { key: "_class" value { list { s: "loc:@TensorSliceDataset" } } } }
    node { name: "IteratorGetNext" op: "IteratorGetNext" input: "IteratorV2"
      attr { key: "_class" value { list { s: "loc:@TensorSliceDataset" } } }
      attr { key: "output_shapes" value { list { shape { dim { size: 1 } } } } }
      attr { key: "output_types" value { list { type: DT_FLOAT } } } }
    node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "python" op: "PyFunc" input: "x" attr { key: "Tin" value { list { type: DT_FLOAT } } }
      attr { key: "Tout" value { list { type: DT_FLOAT } } } attr { key: "token" value { s: "pyfunc_0" } } }
    node { name: "watched" op: "DebugIdentity" input: "elements" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "z" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "from_data" op: "Neg" input: "IteratorGetNext" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "from_python" op: "Neg" input: "python" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "from_watched" op: "Neg" input: "watched" attr { key: "T" value { type: DT_FLOAT } } }
  })";

class KnownOps : public testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override {
    session_ = OpenSession(GetParam(), {});
    const Status status = session_->Extend(ParseMetaGraphText(kModel).graph);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }

  Status Run(const std::string& feed, const std::string& fetch) {
    const std::vector<Feed> feeds = {{feed, MakeScalar<float>(3)}};
    const std::vector<std::string> fetches = {fetch};
    return session_->Run(feeds, fetches, {}, &outputs_);
  }

  std::unique_ptr<Session> session_;
  std::vector<Tensor> outputs_;
};
INSTANTIATE_TEST_SUITE_P(All, KnownOps, testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                         [](const auto& info) { return TestNameOf(info.param); });

TEST_P(KnownOps, DoNoHarmWhereNothingNeedsThem) {
  for (const auto& [feed, fetch] : {std::pair("x", "z"), std::pair("IteratorGetNext", "from_data"),
                                    std::pair("python", "from_python"), std::pair("watched", "from_watched")}) {
    const Status status = Run(feed, fetch);
    ASSERT_TRUE(status.ok()) << fetch << ": " << status.ToString();
    EXPECT_EQ(outputs_.at(0).scalar<float>(), -3) << fetch;
  }
}

TEST_P(KnownOps, AreMissedByAStepThatNeedsThem) {
  for (const auto& [fetch, op, node] :
       {std::tuple("from_data", "IteratorV2", "IteratorV2"), std::tuple("from_python", "PyFunc", "python"),
        std::tuple("from_watched", "DebugIdentity", "watched"), std::tuple("python", "PyFunc", "python")}) {
    const Status status = Run("x", fetch);
    EXPECT_EQ(status.code(), Code::kNotFound) << fetch << ": " << status.ToString();
    EXPECT_EQ(status.reason(), Reason::kNoKernel) << fetch;
    EXPECT_NE(status.message().find(op), std::string::npos) << status.message();
    EXPECT_NE(status.message().find(node), std::string::npos) << status.message();
    const bool says_what_to_do = status.message().find("feed the node's outputs") != std::string::npos;
    EXPECT_EQ(says_what_to_do, std::string_view(op) == "PyFunc") << status.message();
  }
  EXPECT_FALSE(IsImplemented(GetParam(), "PyFunc"));
}

}  // namespace
}  // namespace plumb
