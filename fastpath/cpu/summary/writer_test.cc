#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/summary/writer_object.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"
#include "spec/formats/record.h"
#include "spec/proto/event.pb.h"

namespace plumb::fast::cpu {
namespace {

Tensor Text(std::string text) { return MakeScalar(std::move(text)); }

// The events of the only file in a folder.
std::vector<pb::Event> EventsIn(const std::string& folder) {
  const auto files = Files().List(folder);
  EXPECT_EQ(files.size(), 1u);
  RecordReader reader(folder + "/" + files.at(0));
  std::vector<pb::Event> events;
  while (const auto record = reader.Next()) EXPECT_TRUE(events.emplace_back().ParseFromString(*record));
  return events;
}

class SummaryWriterTest : public testing::Test {
 protected:
  Code Create(int32_t max_queue, const Tensor& flush_millis) {
    return harness_.CodeOf("CreateSummaryFileWriter",
                           Ins({writer_, Text(logs_), MakeScalar(max_queue), flush_millis, Text(".v2")}));
  }
  Code Write(int64_t step, float value) {
    return harness_.CodeOf("WriteSummary",
                           Ins({writer_, MakeScalar(step), MakeScalar(value), Text("loss"), Text("\x1a\x03how")}));
  }

  KernelHarness harness_;
  const TemporaryFolder folder_;
  const std::string logs_ = folder_.path() + "/a/logs";
  const Tensor writer_ =
      harness_.Value("SummaryWriter", {}, {{"shared_name", std::string("w")}, {"container", std::string()}});
};

TEST_F(SummaryWriterTest, EventsAreInTheFileAfterAFlush) {
  ASSERT_EQ(Create(10, MakeScalar(1000000)), Code::kOk);
  ASSERT_EQ(Write(3, 0.5f), Code::kOk);
  EXPECT_EQ(EventsIn(logs_).size(), 1u);  // the version
  ASSERT_EQ(harness_.CodeOf("FlushSummaryWriter", Ins({writer_})), Code::kOk);
  const auto events = EventsIn(logs_);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].file_version(), "brain.Event:2");
  EXPECT_EQ(events[1].step(), 3);
  const pb::Summary::Value& value = events[1].summary().value(0);
  EXPECT_EQ(value.tag(), "loss");
  EXPECT_EQ(value.metadata().summary_description(), "how");
  EXPECT_EQ(value.tensor().tensor_content(), std::string("\0\0\0\x3f", 4));
}

TEST_F(SummaryWriterTest, EventsTakeOneElementOfAnyRank) {  // as TensorFlow does
  ASSERT_EQ(Create(10, MakeScalar(1000000)), Code::kOk);
  const auto write = [&](const Tensor& step, const Tensor& value, const Tensor& tag) {
    return harness_.CodeOf("WriteSummary", Ins({writer_, step, value, tag, Text("")}));
  };
  const Tensor steps = MakeTensor<int64_t>({1, 1}, {3}), tags = MakeVector<std::string>({"loss"}),
               value = MakeScalar(1.0f);
  EXPECT_EQ(write(steps, value, tags), Code::kOk);
  EXPECT_EQ(harness_.CodeOf("WriteScalarSummary", Ins({writer_, steps, tags, value})), Code::kOk);
  EXPECT_EQ(write(MakeVector<int64_t>({3, 4}), value, tags), Code::kInvalidArgument);
}

TEST(SummaryWriter, ThatTheReferenceSavedIsOpen) {
  const TemporaryFolder folder;
  SavedState state;
  WriterObject writer, restored;
  writer.Open(folder.path(), "", 1, 1000000);
  writer.Save(StateWriter(state));
  ASSERT_EQ(state.erase("is_open"), 1u);  // which it does not write
  restored.Restore(StateReader(state));
  EXPECT_TRUE(restored.Write(0, ""));
}

// S10: what takes up a writer in the place where it wrote has each event once.
TEST(SummaryWriter, TakenUpHasEachEventOnce) {
  const TemporaryFolder folder;
  SavedState state;
  WriterObject writer, restored;
  writer.Open(folder.path(), "", 9, 1000000);
  EXPECT_TRUE(writer.Write(1, ""));
  EXPECT_TRUE(writer.Flush());
  EXPECT_TRUE(writer.Write(2, ""));
  writer.Save(StateWriter(state));
  restored.Restore(StateReader(state));
  EXPECT_TRUE(restored.Write(3, ""));
  EXPECT_TRUE(restored.Flush());
  EXPECT_TRUE(restored.Write(4, ""));
  EXPECT_TRUE(restored.Flush());
  std::vector<int64_t> steps;
  for (const pb::Event& event : EventsIn(folder.path())) steps.push_back(event.step());
  EXPECT_EQ(steps, (std::vector<int64_t>{0, 1, 2, 3, 4}));
}

TEST_F(SummaryWriterTest, AFullQueueIsFlushed) {
  ASSERT_EQ(Create(1, MakeScalar(1000000)), Code::kOk);
  ASSERT_EQ(Write(0, 1), Code::kOk);
  EXPECT_EQ(EventsIn(logs_).size(), 1u);
  ASSERT_EQ(Write(1, 1), Code::kOk);
  EXPECT_EQ(EventsIn(logs_).size(), 3u);
}

TEST_F(SummaryWriterTest, NobodyWritesBeforeItIsMade) {
  EXPECT_EQ(Write(0, 1), Code::kNotFound);
  EXPECT_EQ(harness_.CodeOf("FlushSummaryWriter", Ins({writer_})), Code::kNotFound);
  EXPECT_EQ(Create(1, MakeVector<int32_t>({1, 1})), Code::kInvalidArgument);
  EXPECT_EQ(Write(0, 1), Code::kNotFound);
  ASSERT_EQ(Create(0, MakeScalar(0)), Code::kOk);
  ASSERT_EQ(Create(9, MakeScalar(9)), Code::kOk);  // it is there already
  EXPECT_EQ(EventsIn(logs_).size(), 1u);
}

}  // namespace
}  // namespace plumb::fast::cpu
