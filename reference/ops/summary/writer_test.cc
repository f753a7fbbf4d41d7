#include <gtest/gtest.h>

#include "reference/test_graph.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"
#include "spec/formats/record.h"
#include "spec/proto/event.pb.h"

namespace plumb::reference {
namespace {

TestGraph WriterGraph(const std::string& logs, int32_t max_queue) {
  TestGraph graph;
  graph.Add("writer", "SummaryWriter").Const<std::string>("logs", logs).Const<int32_t>("queue", max_queue);
  graph.Const<int32_t>("millis", 1000000).Const<std::string>("suffix", ".v2");
  graph.Add("create", "CreateSummaryFileWriter", {"writer", "logs", "queue", "millis", "suffix"});
  graph.Const<int64_t>("step", 3).Const<float>("value", 0.5f).Const<std::string>("tag", "loss");
  graph.Const<std::string>("metadata", "");
  graph.Add("write", "WriteSummary", {"writer", "step", "value", "tag", "metadata"}, {{"T", DType::kFloat}});
  graph.Add("flush", "FlushSummaryWriter", {"writer"});
  return graph;
}

std::vector<pb::Event> EventsIn(const std::string& folder) {
  const auto files = Files().List(folder);
  EXPECT_EQ(files.size(), 1u);
  RecordReader reader(folder + "/" + files.at(0));
  std::vector<pb::Event> events;
  while (const auto record = reader.Next()) EXPECT_TRUE(events.emplace_back().ParseFromString(*record));
  return events;
}

TEST(SummaryWriter, EventsAreInTheFileAfterAFlushOrWhenTheQueueIsFull) {
  const TemporaryFolder folder;
  const std::string logs = folder.path() + "/logs";
  TestSession session(WriterGraph(logs, 1));
  EXPECT_EQ(session.Run({}, {}, {"write"}).code(), Code::kNotFound);
  EXPECT_EQ(session.Run({}, {}, {"flush"}).code(), Code::kNotFound);
  ASSERT_EQ(session.Run({}, {}, {"create"}).code(), Code::kOk);
  ASSERT_EQ(session.Run({}, {}, {"write"}).code(), Code::kOk);
  EXPECT_EQ(EventsIn(logs).size(), 1u);  // the version
  ASSERT_EQ(session.Run({}, {}, {"write"}).code(), Code::kOk);
  EXPECT_EQ(EventsIn(logs).size(), 3u);
  ASSERT_EQ(session.Run({}, {}, {"create"}).code(), Code::kOk);  // it is there already
  ASSERT_EQ(session.Run({}, {}, {"write"}).code(), Code::kOk);
  ASSERT_EQ(session.Run({}, {}, {"flush"}).code(), Code::kOk);
  const auto events = EventsIn(logs);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[3].step(), 3);
  EXPECT_EQ(events[3].summary().value(0).tag(), "loss");
  EXPECT_FALSE(events[3].summary().value(0).has_metadata());
  EXPECT_EQ(events[3].summary().value(0).tensor().tensor_content(), std::string("\0\0\0\x3f", 4));
}

// As TensorFlow does, whose writers are made of scalars.
TEST(SummaryWriter, EventsTakeOneElementOfAnyRank) {
  const TemporaryFolder folder;
  TestGraph graph = WriterGraph(folder.path() + "/logs", 1);
  graph.Value("steps", MakeTensor<int64_t>({1, 1}, {3})).Value("tags", MakeVector<std::string>({"loss"}));
  graph.Value("two", MakeVector<int64_t>({3, 4})).Value("queues", MakeVector<int32_t>({1}));
  const AttrMap attrs = {{"T", DType::kFloat}};
  graph.Add("write_one", "WriteSummary", {"writer", "steps", "value", "tags", "metadata"}, attrs);
  graph.Add("write_number", "WriteScalarSummary", {"writer", "steps", "tags", "value"}, attrs);
  graph.Add("write_two", "WriteSummary", {"writer", "two", "value", "tag", "metadata"}, attrs);
  graph.Add("create_one", "CreateSummaryFileWriter", {"writer", "logs", "queues", "millis", "suffix"});
  TestSession session(graph);
  EXPECT_EQ(session.Run({}, {}, {"create_one"}).code(), Code::kInvalidArgument);
  ASSERT_EQ(session.Run({}, {}, {"create"}).code(), Code::kOk);
  EXPECT_EQ(session.Run({}, {}, {"write_one"}).code(), Code::kOk);
  EXPECT_EQ(session.Run({}, {}, {"write_number"}).code(), Code::kOk);
  EXPECT_EQ(session.Run({}, {}, {"write_two"}).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::reference
