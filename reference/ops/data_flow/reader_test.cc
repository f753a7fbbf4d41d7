// What readers read, who waits for them, what is saved (rules Q51–Q56).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "reference/step/program.h"
#include "reference/test_graph.h"
#include "reference/world/drivers/first.h"
#include "reference/world/world.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"
#include "spec/formats/record.h"

namespace plumb::reference {
namespace {

using ::testing::ElementsAre;

const std::vector<DType> kStrings = {DType::kString};

// A queue of work items "q", which "put" fills with `items`, and the ops on it and on the reader "r".
TestGraph WithReads(TestGraph graph, std::initializer_list<std::string> items) {
  graph.Add("q", "FIFOQueueV2", {}, {{"component_types", kStrings}}).Value("items", MakeVector<std::string>(items));
  graph.Add("put", "QueueEnqueueManyV2", {"q", "items"}, {{"Tcomponents", kStrings}})
      .Add("close", "QueueCloseV2", {"q"});
  graph.Add("read", "ReaderReadV2", {"r", "q"}).Const<int64_t>("three", 3);
  graph.Add("read_3", "ReaderReadUpToV2", {"r", "q", "three"});
  graph.Add("produced", "ReaderNumRecordsProducedV2", {"r"}).Add("finished", "ReaderNumWorkUnitsCompletedV2", {"r"});
  graph.Add("state", "ReaderSerializeStateV2", {"r"}).Add("reset", "ReaderResetV2", {"r"});
  graph.Const<std::string>("text", "\010\003\020\004\030\007").Add("take_up", "ReaderRestoreStateV2", {"r", "text"});
  graph.Const<std::string>("bogus", "BOGUS").Add("take_bogus", "ReaderRestoreStateV2", {"r", "bogus"});
  return graph;
}

class Steps {
 public:
  explicit Steps(const TestGraph& graph) : graph_(std::make_shared<const Graph>(Graph::Load(graph.def))) {}
  Steps(const Steps& other) : world_(other.world_->Clone()), graph_(other.graph_) {}

  // Starts a step, and runs the world as far as it goes.
  StepId Start(std::vector<std::string> fetches, std::vector<std::string> targets = {}) {
    const StepRequest request{{}, std::move(fetches), std::move(targets)};
    const StepId step = world_->Start(MakeProgram(graph_, request, {}));
    world_->RunAll(first_);
    return step;
  }
  bool Waits(StepId step) const { return !world_->IsOver(step); }
  // What the step fetched; its code alone, negated, if it failed.
  std::vector<std::string> Take(StepId step) {
    const StepOutcome outcome = world_->Take(step);
    if (!outcome.status.ok()) return {Str(-static_cast<int>(outcome.status.code()))};
    std::vector<std::string> texts;
    for (const reference::Value& value : outcome.values) {
      for (int64_t i = 0; i < value.tensor.elements(); ++i) {
        const bool is_text = value.tensor.dtype() == DType::kString;
        texts.push_back(is_text ? value.tensor.data<std::string>()[i] : Str(value.tensor.data<int64_t>()[i]));
      }
    }
    return texts;
  }
  std::vector<std::string> Get(std::vector<std::string> fetches) { return Take(Start(std::move(fetches))); }
  std::vector<std::string> Read() { return Get({"read:0", "read:1"}); }
  std::string Number(const std::string& op) { return Get({op + ":0"}).at(0); }
  Code Do(const std::string& op) { return world_->Take(Start({}, {op})).status.code(); }
  World& world() { return *world_; }

 private:
  std::unique_ptr<World> world_ = std::make_unique<World>();
  FirstDriver first_;
  std::shared_ptr<const Graph> graph_;
};

TestGraph ReaderGraph(std::string op, AttrMap attrs = {}) {
  TestGraph graph;
  graph.Add("r", std::move(op), {}, std::move(attrs));
  return graph;
}

TEST(Reader, ReadsLinesWithoutTheirEnds) {  // Q51–Q53
  const TemporaryFolder folder;
  const std::string a = folder.path() + "/a";
  Files().Write(a, "head\none\r\n\nlast\r");
  Steps steps(WithReads(ReaderGraph("TextLineReaderV2", {{"skip_header_lines", int64_t{1}}}), {a}));
  EXPECT_EQ(steps.Do("put"), Code::kOk);
  EXPECT_THAT(steps.Read(), ElementsAre(a + ":2", "one"));
  SavedState state;
  steps.world().Save(state);
  EXPECT_THAT(steps.Get({"read_3:0", "read_3:1"}), ElementsAre(a + ":3", a + ":4", "", "last"));
  EXPECT_EQ(steps.Number("finished"), "1");
  Steps others(WithReads(ReaderGraph("TextLineReaderV2", {{"skip_header_lines", int64_t{1}}}), {a}));
  others.world().Restore(state);
  EXPECT_THAT(others.Read(), ElementsAre(a + ":3", ""));
  EXPECT_EQ(others.Number("produced"), "2");
}

TEST(Reader, SkipsNoMoreLinesThanAnInt32Counts) {
  for (const auto& [lines, code] : std::map<int64_t, Code>{
           {-1, Code::kInvalidArgument}, {INT32_MAX, Code::kOk}, {int64_t{1} << 31, Code::kInvalidArgument}}) {
    const TestGraph graph = WithReads(ReaderGraph("TextLineReaderV2", {{"skip_header_lines", lines}}), {});
    EXPECT_EQ(TestSession(graph).Run({"finished:0"}).code(), code) << lines;
  }
}

TEST(Reader, ReadsPiecesOfOneLength) {  // Q53, Q54
  const TemporaryFolder folder;
  const std::string a = folder.path() + "/a", b = folder.path() + "/b";
  Files().Write(a, "Habcdef");
  Files().Write(b, "");
  const AttrMap lengths = {{"header_bytes", int64_t{1}},
                           {"record_bytes", int64_t{3}},
                           {"footer_bytes", int64_t{1}},
                           {"hop_bytes", int64_t{2}}};
  Steps steps(WithReads(ReaderGraph("FixedLengthRecordReaderV2", lengths), {a, b}));
  EXPECT_EQ(steps.Do("put"), Code::kOk);
  EXPECT_THAT(steps.Read(), ElementsAre(a + ":0", "abc"));
  EXPECT_THAT(steps.Read(), ElementsAre(a + ":1", "cde"));
  EXPECT_THAT(steps.Read(), ElementsAre("-11"));  // the empty file has no header
  EXPECT_EQ(steps.Number("finished"), "1");
  EXPECT_EQ(steps.Do("state"), Code::kUnimplemented);
}

TEST(Reader, StaysAtARecordThatIsBroken) {  // Q54
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a";
  std::string bytes = FrameRecord("one") + FrameRecord("two");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  Files().Write(path, bytes);
  Steps steps(WithReads(ReaderGraph("TFRecordReaderV2"), {path}));
  EXPECT_EQ(steps.Do("put"), Code::kOk);
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
  Steps steps(WithReads(ReaderGraph("TFRecordReaderV2"), {path, other}));
  EXPECT_EQ(steps.Do("put"), Code::kOk);
  EXPECT_THAT(steps.Read(), ElementsAre(path + ":0", "one"));
  EXPECT_THAT(steps.Read(), ElementsAre("-15")) << "a header without its data";
  EXPECT_EQ(steps.Number("finished"), "1");
}

TEST(Reader, SaysWhatItHasReadAndTakesThatUp) {  // Q55
  Steps steps(WithReads(ReaderGraph("IdentityReaderV2"), {"X", "Y"}));
  EXPECT_EQ(steps.Do("put"), Code::kOk);
  EXPECT_THAT(steps.Read(), ElementsAre("X", "X"));
  EXPECT_EQ(steps.Number("state"), "\010\001\020\001\030\001\"\001X");
  EXPECT_EQ(steps.Do("take_up"), Code::kOk);
  EXPECT_THAT(steps.Get({"produced:0", "finished:0"}), ElementsAre("7", "4"));
  EXPECT_EQ(steps.Do("take_bogus"), Code::kInvalidArgument);
  EXPECT_EQ(steps.Number("produced"), "0");
}

TEST(Reader, OneWaitsForWorkAndOthersForIt) {  // Q51
  Steps steps(WithReads(ReaderGraph("IdentityReaderV2"), {"X", "Y"}));
  const StepId first = steps.Start({"read:0"}), count = steps.Start({"produced:0"}), second = steps.Start({"read:0"});
  EXPECT_TRUE(steps.Waits(first) && steps.Waits(count) && steps.Waits(second));
  Steps fork(steps);
  EXPECT_EQ(fork.Do("close"), Code::kOk);
  EXPECT_THAT(fork.Take(first), ElementsAre("-11"));
  EXPECT_THAT(fork.Take(count), ElementsAre("0"));
  EXPECT_THAT(fork.Take(second), ElementsAre("-11"));
  EXPECT_EQ(steps.Do("put"), Code::kOk);
  EXPECT_THAT(steps.Take(first), ElementsAre("X"));
  EXPECT_THAT(steps.Take(count), ElementsAre("1"));
  EXPECT_THAT(steps.Take(second), ElementsAre("Y"));
}

}  // namespace
}  // namespace plumb::reference
