// Readers between steps of one session: what they read, who waits, what is saved (rules Q51–Q56).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "fastpath/testing/test_graph.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"
#include "spec/formats/record.h"
#include "spec/session/hand_over.h"

namespace plumb::fast {
namespace {

using ::testing::ElementsAre;

const std::vector<DType> kStrings = {DType::kString};
const AttrMap kLines = {{"skip_header_lines", int64_t{1}}};

AttrMap Pieces(int64_t header, int64_t record, int64_t footer, int64_t hop) {
  return {{"header_bytes", header}, {"record_bytes", record}, {"footer_bytes", footer}, {"hop_bytes", hop}};
}

// A queue of work items, and the ops on it and on the reader "r", which the test adds.
TestGraph WithReads(TestGraph graph) {
  graph.Add("q", "FIFOQueueV2", {}, {{"component_types", kStrings}});
  graph.Placeholder("items", DType::kString);
  graph.Add("put", "QueueEnqueueManyV2", {"q", "items"}, {{"Tcomponents", kStrings}});
  graph.Add("close", "QueueCloseV2", {"q"});
  graph.Add("read", "ReaderReadV2", {"r", "q"});
  graph.Const("three", MakeScalar<int64_t>(3));
  graph.Add("read_3", "ReaderReadUpToV2", {"r", "q", "three"});
  graph.Add("produced", "ReaderNumRecordsProducedV2", {"r"});
  graph.Add("finished", "ReaderNumWorkUnitsCompletedV2", {"r"});
  graph.Add("state", "ReaderSerializeStateV2", {"r"});
  graph.Placeholder("text", DType::kString);
  graph.Add("take_up", "ReaderRestoreStateV2", {"r", "text"});
  graph.Add("reset", "ReaderResetV2", {"r"});
  return graph;
}

TestGraph IdentityGraph() {
  TestGraph graph;
  graph.Add("r", "IdentityReaderV2", {});
  return WithReads(std::move(graph));
}

class Steps {
 public:
  explicit Steps(const TestGraph& graph, int32_t producer = kGraphVersion) : session_(NewFastSession({.threads = 2})) {
    GraphDef def = graph.def();
    def.versions.producer = producer;
    EXPECT_TRUE(session_->Extend(def).ok());
  }
  // What the outputs hold; the code alone, negated, if the step fails.
  std::vector<std::string> Get(const std::vector<std::string>& fetches, int64_t timeout_ms = 60'000) {
    const std::vector<std::string> none;
    std::vector<Tensor> outputs;
    const Status status = session_->Run({.timeout_ms = timeout_ms}, {}, fetches, none, &outputs, nullptr);
    if (!status.ok()) return {Str(-static_cast<int>(status.code()))};
    std::vector<std::string> texts;
    for (const Tensor& output : outputs) {
      for (int64_t i = 0; i < output.elements(); ++i) {
        texts.push_back(output.dtype() == DType::kString ? output.data<std::string>()[i]
                                                         : Str(output.data<int64_t>()[i]));
      }
    }
    return texts;
  }
  std::vector<std::string> Read() { return Get({"read:0", "read:1"}); }
  std::string Number(const std::string& op) { return Get({op + ":0"}).at(0); }
  Code Do(const std::string& op, const std::vector<Feed>& feeds = {}) {
    const std::vector<std::string> none, targets = {op};
    std::vector<Tensor> outputs;
    return session_->Run({.timeout_ms = 60'000}, feeds, none, targets, &outputs, nullptr).code();
  }
  void Put(std::initializer_list<std::string> items) {
    EXPECT_EQ(Do("put", {{"items:0", MakeVector<std::string>(items)}}), Code::kOk);
  }
  Session& session() { return *session_; }

 private:
  std::unique_ptr<Session> session_;
};

TEST(Reader, ReadsLinesWithoutTheirEnds) {  // Q51–Q53
  const TemporaryFolder folder;
  const std::string a = folder.path() + "/a", b = folder.path() + "/b";
  Files().Write(a, "head\none\r\n\nlast\r");
  Files().Write(b, Str("head\n", std::string(300'000, 'x'), "\n"));
  TestGraph graph;
  graph.Add("r", "TextLineReader", {}, kLines);
  graph.Add("q", "FIFOQueue", {}, {{"component_types", kStrings}});
  graph.Const("items", MakeVector<std::string>({a, b}));
  graph.Add("put", "QueueEnqueueMany", {"q", "items"}, {{"Tcomponents", kStrings}});
  graph.Add("read", "ReaderRead", {"r", "q"});
  Steps steps(graph, 25);
  EXPECT_EQ(steps.Do("put"), Code::kOk);
  EXPECT_THAT(steps.Read(), ElementsAre(a + ":2", "one"));
  EXPECT_THAT(steps.Read(), ElementsAre(a + ":3", ""));
  EXPECT_THAT(steps.Read(), ElementsAre(a + ":4", "last"));
  EXPECT_THAT(steps.Read(), ElementsAre(b + ":2", std::string(300'000, 'x')));
}

TEST(Reader, ReadsPiecesOfOneLength) {  // Q53, Q54
  const TemporaryFolder folder;
  const std::string a = folder.path() + "/a", b = folder.path() + "/b";
  Files().Write(a, "Habcdef");
  Files().Write(b, "");
  TestGraph graph;
  graph.Add("r", "FixedLengthRecordReaderV2", {}, Pieces(1, 3, 1, 2));
  Steps steps(WithReads(std::move(graph)));
  steps.Put({a, b, a});
  EXPECT_THAT(steps.Read(), ElementsAre(a + ":0", "abc"));
  EXPECT_THAT(steps.Read(), ElementsAre(a + ":1", "cde"));
  EXPECT_THAT(steps.Read(), ElementsAre("-11"));  // the empty file has no header
  EXPECT_EQ(steps.Number("finished"), "1");
  EXPECT_THAT(steps.Get({"read_3:1"}), ElementsAre("abc", "cde"));
  EXPECT_EQ(steps.Number("produced"), "4");
}

TEST(Reader, ReadsRecordFiles) {  // Q52, Q54
  const TemporaryFolder folder;
  const std::string a = folder.path() + "/a", b = folder.path() + "/b", gone = folder.path() + "/c";
  RecordWriter writer(a, Compression::kGzip);
  for (const char* record : {"x", "", "z"}) writer.Write(record);
  writer.Close();
  RecordWriter broken(b, Compression::kGzip);
  broken.Write("good");
  broken.Close();
  TestGraph graph;
  graph.Add("r", "TFRecordReaderV2", {}, {{"compression_type", std::string("GZIP")}});
  Steps steps(WithReads(std::move(graph)));
  steps.Put({a, gone, b});
  EXPECT_THAT(steps.Get({"read_3:0", "read_3:1"}), ElementsAre(a + ":0", a + ":17", a + ":33", "x", "", "z"));
  EXPECT_THAT(steps.Read(), ElementsAre("-5"));
  EXPECT_THAT(steps.Read(), ElementsAre(b + ":0", "good"));
  EXPECT_EQ(steps.Do("state"), Code::kUnimplemented);
}

TEST(Reader, StaysAtARecordThatIsBroken) {  // Q54
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a";
  std::string bytes = FrameRecord("one") + FrameRecord("two");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  Files().Write(path, bytes);
  TestGraph graph;
  graph.Add("r", "TFRecordReaderV2", {});
  Steps steps(WithReads(std::move(graph)));
  steps.Put({path});
  EXPECT_THAT(steps.Read(), ElementsAre(path + ":0", "one"));
  EXPECT_THAT(steps.Read(), ElementsAre("-15"));
  EXPECT_THAT(steps.Read(), ElementsAre("-15"));
  EXPECT_EQ(steps.Do("reset"), Code::kOk);
  EXPECT_EQ(steps.Number("produced"), "0");
}

TEST(Reader, ARecordFileEndsWhereLessThanAHeaderIsLeft) {  // Q53, as TensorFlow answers
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a", other = folder.path() + "/b";
  Files().Write(path, FrameRecord("one") + FrameRecord("two").substr(0, 11));
  Files().Write(other, FrameRecord("two").substr(0, 12));
  TestGraph graph;
  graph.Add("r", "TFRecordReaderV2", {});
  Steps steps(WithReads(std::move(graph)));
  steps.Put({path, other});
  EXPECT_THAT(steps.Read(), ElementsAre(path + ":0", "one"));
  EXPECT_THAT(steps.Read(), ElementsAre("-15")) << "a header without its data";
  EXPECT_EQ(steps.Number("finished"), "1");
}

TEST(Reader, SaysWhatItHasReadAndTakesThatUp) {  // Q55
  Steps steps(IdentityGraph());
  steps.Put({"X", "Y"});
  EXPECT_THAT(steps.Read(), ElementsAre("X", "X"));
  EXPECT_EQ(steps.Number("state"), "\010\001\020\001\030\001\"\001X");
  const auto take_up = [&](const std::string& text) {
    return steps.Do("take_up", {{"text:0", MakeScalar<std::string>(text)}});
  };
  EXPECT_EQ(take_up("\010\003\020\004\030\007"), Code::kOk);
  EXPECT_EQ(steps.Number("produced"), "7");
  EXPECT_EQ(steps.Number("finished"), "4");
  const std::string under_way = "\010\002\020\002\030\003\"\001Z";
  EXPECT_EQ(take_up(under_way), Code::kOk);
  EXPECT_EQ(steps.Number("state"), under_way);
  EXPECT_EQ(take_up("\010\004\020\003"), Code::kInvalidArgument);
  EXPECT_EQ(steps.Number("produced"), "0");
  EXPECT_EQ(take_up("BOGUS"), Code::kInvalidArgument);
  EXPECT_THAT(steps.Get({"read_3:0"}), ElementsAre("Y"));
  steps.Do("close");
  EXPECT_THAT(steps.Read(), ElementsAre("-11"));
}

TEST(Reader, OneWaitsForWorkAndOthersForIt) {  // Q51
  Steps steps(IdentityGraph());
  EXPECT_THAT(steps.Get({"read:0"}, 50), ElementsAre("-4"));
  auto first = std::async(std::launch::async, [&] { return steps.Read(); });
  auto second = std::async(std::launch::async, [&] { return steps.Read(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_THAT(steps.Get({"produced:0"}, 50), ElementsAre("-4"));  // both are waiting, and it waits behind them
  steps.Put({"X", "X"});
  EXPECT_THAT(first.get(), ElementsAre("X", "X"));
  EXPECT_THAT(second.get(), ElementsAre("X", "X"));
  EXPECT_EQ(steps.Number("produced"), "2");
}

TEST(Reader, SkipsAnyNumberOfEmptyFiles) {  // Q51
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/empty";
  Files().Write(path, "");
  TestGraph graph;
  graph.Add("r", "TextLineReaderV2", {});
  Steps steps(WithReads(std::move(graph)));
  const std::vector<std::string> items(20'000, path);
  EXPECT_EQ(steps.Do("put", {{"items:0", MakeTensor<std::string>({20'000}, std::span<const std::string>(items))}}),
            Code::kOk);
  steps.Do("close");
  EXPECT_THAT(steps.Read(), ElementsAre("-11"));
  EXPECT_EQ(steps.Number("finished"), "20000");
}

TEST(Reader, GoesOnInAnotherSessionWhereItWas) {  // S10
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a";
  Files().Write(path, "head\none\ntwo\n");
  TestGraph graph;
  graph.Add("r", "TextLineReaderV2", {}, kLines);
  graph = WithReads(std::move(graph));
  Steps steps(graph), others(graph);
  steps.Put({path});
  EXPECT_THAT(steps.Read(), ElementsAre(path + ":2", "one"));
  ASSERT_EQ(HandOver(steps.session(), others.session()).ToString(), "OK");
  EXPECT_THAT(others.Read(), ElementsAre(path + ":3", "two"));
  EXPECT_EQ(others.Number("produced"), "2");
}

TEST(Reader, OlderOpsDoTheSame) {  // Q5
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a";
  Files().Write(path, FrameRecord("one"));
  TestGraph graph;
  graph.Add("q", "FIFOQueue", {}, {{"component_types", kStrings}});
  graph.Const("items", MakeVector<std::string>({path, path, path, path}));
  graph.Add("put", "QueueEnqueueMany", {"q", "items"}, {{"Tcomponents", kStrings}});
  graph.Const("three", MakeScalar<int64_t>(3));
  graph.Add("whole", "WholeFileReader", {});
  graph.Add("pieces", "FixedLengthRecordReader", {}, Pieces(12, 2, 5, 0));
  graph.Add("records", "TFRecordReader", {});
  graph.Add("same", "IdentityReader", {});
  graph.Add("read_whole", "ReaderReadUpTo", {"whole", "q", "three"});
  graph.Add("read_pieces", "ReaderReadUpTo", {"pieces", "q", "three"});
  graph.Add("read_records", "ReaderReadUpTo", {"records", "q", "three"});
  graph.Add("read_same", "ReaderReadUpTo", {"same", "q", "three"});
  graph.Add("produced", "ReaderNumRecordsProduced", {"same"});
  graph.Add("finished", "ReaderNumWorkUnitsCompleted", {"same"});
  graph.Add("state", "ReaderSerializeState", {"same"});
  graph.Const("text", MakeScalar<std::string>("\030\007"));
  graph.Add("take_up", "ReaderRestoreState", {"same", "text"});
  graph.Add("reset", "ReaderReset", {"same"});
  Steps steps(graph, 25);
  EXPECT_EQ(steps.Do("put"), Code::kOk);
  EXPECT_THAT(steps.Get({"read_whole:1"}), ElementsAre(FrameRecord("one")));
  EXPECT_THAT(steps.Get({"read_pieces:1"}), ElementsAre("on"));
  EXPECT_THAT(steps.Get({"read_records:1"}), ElementsAre("one"));
  EXPECT_THAT(steps.Get({"read_same:1"}), ElementsAre(path));
  EXPECT_THAT(steps.Get({"finished:0", "produced:0"}), ElementsAre("1", "1"));
  EXPECT_EQ(steps.Do("take_up"), Code::kOk);
  EXPECT_THAT(steps.Get({"state:0"}), ElementsAre("\030\007"));
  EXPECT_EQ(steps.Do("reset"), Code::kOk);
  EXPECT_THAT(steps.Get({"state:0"}), ElementsAre(""));
}

TEST(Reader, LengthsAreNotNegative) {
  TestGraph graph;
  graph.Add("r", "FixedLengthRecordReaderV2", {}, Pieces(0, -1, 0, 0));
  EXPECT_EQ(Steps(graph).Do("r"), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
