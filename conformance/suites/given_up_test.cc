// A step that waits and is given up leaves everything as if it had never asked (rule S9), on both sides.
#include <gtest/gtest.h>

#include "backends/backends.h"
#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"
#include "spec/graph/function_testing.h"

namespace plumb::conformance {
namespace {

class GivenUp : public ::testing::TestWithParam<std::string_view> {
 protected:
  void Add(const std::string& name, const std::string& op, std::vector<std::string> inputs, AttrMap attrs = {}) {
    GraphDef graph;
    graph.nodes.push_back(MakeNode(name, op, std::move(inputs), std::move(attrs)));
    ASSERT_EQ(session_->Extend(graph).ToString(), "OK") << name;
  }
  void Constant(const std::string& name, Tensor value) {
    const DType dtype = value.dtype();
    Add(name, "Const", {}, {{"value", std::move(value)}, {"dtype", dtype}});
  }
  Code Do(const std::string& target, int64_t timeout_ms = 60'000) {
    std::vector<Tensor> none;
    return session_->Run({.timeout_ms = timeout_ms}, {}, {}, {&target, 1}, &none, nullptr).code();
  }
  // Gives up `waits` twice; then what `frees` brings is for the third.
  void ExpectServed(const std::string& waits, const std::string& frees) {
    EXPECT_EQ(Do(waits, 20), Code::kDeadlineExceeded) << waits;
    EXPECT_EQ(Do(waits, 20), Code::kDeadlineExceeded) << waits;
    EXPECT_EQ(Do(frees), Code::kOk) << frees;
    EXPECT_EQ(Do(waits), Code::kOk) << waits << " after " << frees;
  }

  const std::unique_ptr<Session> session_ = OpenSession(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Backends, GivenUp, ::testing::Values("reference", "cpu"));

TEST_P(GivenUp, ReadersLeaveTheNextFileToOthers) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/lines";
  WriteFile(path, "one\n");
  const AttrMap texts = {{"component_types", std::vector<DType>{DType::kString}}};
  Constant("path", MakeScalar(path));
  Constant("ten", MakeScalar<int64_t>(10));
  for (const std::string read : {"ReaderReadV2", "ReaderReadUpToV2"}) {
    Add(read + "_files", "FIFOQueueV2", {}, texts);
    Add(read + "_file", "QueueEnqueueV2", {read + "_files", "path"},
        {{"Tcomponents", std::vector<DType>{DType::kString}}});
    Add(read + "_reader", "TextLineReaderV2", {});
    std::vector<std::string> inputs = {read + "_reader", read + "_files"};
    if (read == "ReaderReadUpToV2") inputs.push_back("ten");
    Add(read, read, inputs);
    ExpectServed(read, read + "_file");
  }
}

TEST_P(GivenUp, QueuesServeWhoStillWaits) {
  const std::vector<DType> number = {DType::kInt64};
  Constant("one", MakeScalar<int64_t>(1));
  Constant("n", MakeScalar<int32_t>(1));
  Add("queue", "FIFOQueueV2", {},
      {{"component_types", number}, {"shapes", std::vector<PartialShape>{Shape()}}, {"capacity", int64_t{1}}});
  Add("put", "QueueEnqueueV2", {"queue", "one"}, {{"Tcomponents", number}});
  Add("take", "QueueDequeueV2", {"queue"}, {{"component_types", number}});
  Add("take_many", "QueueDequeueManyV2", {"queue", "n"}, {{"component_types", number}});
  Add("take_up_to", "QueueDequeueUpToV2", {"queue", "n"}, {{"component_types", number}});
  for (const std::string take : {"take", "take_many", "take_up_to"}) ExpectServed(take, "put");
  ASSERT_EQ(Do("put"), Code::kOk);
  ExpectServed("put", "take");
}

TEST_P(GivenUp, StagesServeWhoStillWaits) {
  const std::vector<DType> number = {DType::kInt64};
  const AttrMap area = {{"dtypes", number}, {"shared_name", std::string("area")}, {"capacity", int64_t{1}}};
  Constant("one", MakeScalar<int64_t>(1));
  Add("put", "Stage", {"one"}, area);
  Add("take", "Unstage", {}, area);
  ExpectServed("take", "put");
  ASSERT_EQ(Do("put"), Code::kOk);
  ExpectServed("put", "take");
}

}  // namespace
}  // namespace plumb::conformance
