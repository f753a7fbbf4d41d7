// What `plumb place` makes of its options, and of traces.
#include <gmock/gmock.h>

#include <map>

#include "spec/core/status_testing.h"
#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"
#include "spec/graph/graph_file.h"
#include "tools/commands.h"
#include "tools/device_offers.h"
#include "tools/placement_costs.h"

namespace plumb::tools {
namespace {

using testing::HasSubstr;

// `body` is refused with this code and words that have `says` among them.
template <class Body>
void ExpectRefusal(const Body& body, Code code, const std::string& says) {
  const Status status = StatusOf(body);
  EXPECT_EQ(status.code(), code) << status.ToString();
  EXPECT_THAT(status.message(), HasSubstr(says));
}

TEST(DeviceOffers, HaveNamesMemoryAndSpeed) {
  const auto offers = ParseOffers("cpu:0=2GiB,/job:ps/task:1=500MB*1.5,gpu:0*20,cpu:1");
  ASSERT_EQ(offers.size(), 4U);
  EXPECT_EQ(offers[0].device, "/device:CPU:0");
  EXPECT_EQ(offers[0].memory, int64_t{2} << 30);
  EXPECT_EQ(offers[0].speed, 1);
  EXPECT_EQ(offers[1].device, "/job:ps/task:1");
  EXPECT_EQ(offers[1].memory, 500'000'000);
  EXPECT_EQ(offers[1].speed, 1.5);
  EXPECT_EQ(offers[2].device, "/device:GPU:0");
  EXPECT_EQ(offers[2].memory, INT64_MAX);
  EXPECT_EQ(offers[2].speed, 20);
  EXPECT_EQ(offers[3].memory, INT64_MAX);
}

TEST(DeviceOffers, SayWhatIsWrong) {
  for (const char* text : {"", "cpu:0,", "=2GiB", "cpu:0=", "cpu:0=2GIB", "cpu:0=-1B", "cpu:0=2GiB*", "cpu:0*2x",
                           "cpu:0=1e30GiB", "cpu:0,/device:CPU:0", "nothing:0", "/"}) {
    SCOPED_TRACE(text);
    ExpectRefusal([&] { ParseOffers(text); }, Code::kInvalidArgument, "");
  }
}

TEST(DeviceOffers, BytesAreReadable) {
  EXPECT_EQ(TextOfBytes(17), "17 B");
  EXPECT_EQ(TextOfBytes(3 << 19), "1.5 MiB");
  EXPECT_EQ(TextOfBytes(INT64_MAX), "any");
}

// Two steps of one worker, in which "x" took 3 and 5 us, and waited for 9; a mean of 4.
constexpr const char* kTrace = R"({"traceEvents": [
  {"ph": "M", "pid": 0, "name": "process_name", "args": {"name": "rank 0"}},
  {"ph": "X", "pid": 0, "tid": 0, "name": "step", "cat": "computes", "ts": 0, "dur": 9, "args": {"node": "step 1"}},
  {"ph": "X", "pid": 0, "tid": 1, "name": "Add", "cat": "computes", "ts": 1, "dur": 3, "args": {"node": "x"}},
  {"ph": "X", "pid": 0, "tid": 10000, "name": "Recv", "cat": "waits", "ts": 1, "dur": 9, "args": {"node": "x"}},
  {"ph": "X", "pid": 0, "tid": 0, "name": "step", "cat": "computes", "ts": 10, "dur": 9, "args": {"node": "step 2"}},
  {"ph": "X", "pid": 0, "tid": 1, "name": "Add", "cat": "computes", "ts": 11, "dur": 5, "args": {"node": "x"}}]})";

GraphDef TwoNodes() {
  GraphDef graph;
  for (const char* name : {"x", "y"}) graph.nodes.push_back({name, "NoOp", {}, "", {}, ""});
  return graph;
}

TEST(PlacementCosts, AreTheMeanOverTheStepsOfATrace) {
  MeasuredCosts costs = CostsOfTrace(kTrace, "trace.json");
  EXPECT_DOUBLE_EQ(costs.SecondsOf("x").value(), 4e-6);
  EXPECT_FALSE(costs.SecondsOf("y").has_value());
  EXPECT_EQ(LearnWhatRests(TwoNodes(), costs), 1);
  EXPECT_EQ(costs.SecondsOf("y").value(), 0);
}

// What a node queued for a card took there, not the time that the host took to queue it.
TEST(PlacementCosts, OfACardAreThoseOfItsStreams) {
  const MeasuredCosts costs = CostsOfTrace(R"({"traceEvents": [
    {"ph": "X", "name": "step", "cat": "computes", "ts": 0, "dur": 9, "args": {"node": "step 1"}},
    {"ph": "X", "name": "Exp", "cat": "computes", "ts": 0, "dur": 5, "args": {"node": "x"}},
    {"ph": "X", "name": "Exp", "cat": "streams", "ts": 2, "dur": 30, "args": {"node": "x:Exp"}},
    {"ph": "X", "name": "Exp", "cat": "streams", "ts": 40, "dur": 10, "args": {"node": "x:Exp"}}]})",
                                           "trace.json");
  EXPECT_DOUBLE_EQ(costs.SecondsOf("x").value(), 40e-6);
}

TEST(PlacementCosts, WithoutMeasurementNothingIsLearnt) {
  MeasuredCosts costs;
  EXPECT_EQ(LearnWhatRests(TwoNodes(), costs), 0);
  EXPECT_FALSE(costs.SecondsOf("x").has_value());
}

TEST(PlacementCosts, OfWhatIsNoTraceAreRefused) {
  for (const char* text : {"", "{", "[]", "{}", R"({"traceEvents": 3})", R"({"traceEvents": []})",
                           R"({"traceEvents": [{"ph": "X", "cat": "computes", "name": "step"}]})",
                           R"({"traceEvents": [{"ph": "X", "cat": "computes", "args": {"node": 1}, "dur": 1}]})"}) {
    SCOPED_TRACE(text);
    ExpectRefusal([&] { CostsOfTrace(text, "trace.json"); }, Code::kInvalidArgument, "trace.json");
  }
}

// Options by their names; what is not named keeps what it holds at first.
class Given : public Options {
 public:
  using Values = std::map<std::string, std::vector<std::string>>;
  explicit Given(Values values) : values_(std::move(values)) {}
  void Flag(const std::string& names, bool* value, const std::string&) override { *value = values_.contains(names); }
  void Option(const std::string& names, std::string* value, const std::string&) override { *value = One(names); }
  void Option(const std::string& names, int* value, const std::string&) override {
    if (values_.contains(names)) *value = std::stoi(One(names));
  }
  void Option(const std::string& names, double* value, const std::string&) override {
    if (values_.contains(names)) *value = std::stod(One(names));
  }
  void Option(const std::string& names, std::vector<std::string>* values, const std::string&) override {
    *values = values_.contains(names) ? values_.at(names) : std::vector<std::string>();
  }
  void Argument(const std::string& name, std::string* value, const std::string&) override { *value = One(name); }
  void OptionalArgument(const std::string& name, std::string* value, const std::string&) override {
    *value = One(name);
  }

 private:
  std::string One(const std::string& name) const { return values_.contains(name) ? values_.at(name).at(0) : ""; }
  const Values values_;
};

// Two variables of 100 float32 numbers, each with the value that it begins with and the one that is read beside it: 400
// bytes three times.
class PlaceCommandTest : public testing::Test {
 protected:
  PlaceCommandTest() {
    std::string text;
    for (const std::string v : {"a", "b"}) {
      text += R"(node { name: ")" + v + R"(" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } }
        attr { key: "shape" value { shape { dim { size: 100 } } } } }
        node { name: ")" +
              v + R"(_one" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
        attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 100 } } float_val: 1 } } }
        attr { key: "_class" value { list { s: "loc:@)" +
              v + R"(" } } } }
        node { name: ")" +
              v + R"(_set" op: "Assign" input: ")" + v + R"(" input: ")" + v + R"(_one"
        attr { key: "T" value { type: DT_FLOAT } } }
        node { name: ")" +
              v + R"(_read" op: "Identity" input: ")" + v + R"("
        attr { key: "T" value { type: DT_FLOAT } } })";
    }
    WriteFile(graph_, text);
  }

  // What it prints.
  std::string Place(Given::Values values) {
    values["graph"] = {graph_};
    values.merge(Given::Values{{"--steps", {"5"}},
                               {"--threads", {"1"}},
                               {"--latency", {"50"}},
                               {"--mbit", {"10000"}},
                               {"--unknown-dimension", {"1"}}});
    Given options(std::move(values));
    PlaceCommand().Declare(options);
    testing::internal::CaptureStdout();
    const Status status = StatusOf([] { EXPECT_EQ(PlaceCommand().Run(), 0); });
    std::string printed = testing::internal::GetCapturedStdout();
    if (!status.ok()) throw Error(status);
    return printed;
  }

  std::map<std::string, std::string> Written() const {
    std::map<std::string, std::string> devices;
    for (const NodeDef& node : LoadGraphFile(output_).nodes) devices[node.name] = node.device;
    return devices;
  }

  TemporaryFolder folder_;
  const std::string graph_ = folder_.path() + "/graph.pbtxt", output_ = folder_.path() + "/placed.pbtxt";
};

// 1500 bytes have room for the 1200 of one variable and not for the 2400 of both.
TEST_F(PlaceCommandTest, KeepsToTheMemoryOfEachDevice) {
  const std::string printed = Place({{"--devices", {"cpu:0=1500B,cpu:1=1500B"}}, {"--output", {output_}}});
  auto devices = Written();
  EXPECT_NE(devices["a"], devices["b"]);
  for (const std::string v : {"a", "b"}) {
    EXPECT_EQ(devices[v + "_set"], devices[v]);
    EXPECT_EQ(devices[v + "_read"], devices[v]);
  }
  EXPECT_THAT(printed, HasSubstr("of 1.465 KiB"));
  EXPECT_THAT(printed, HasSubstr("0 of 8 nodes were measured"));
}

TEST_F(PlaceCommandTest, RefusesWhatDoesNotFit) {
  ExpectRefusal([&] { Place({{"--devices", {"cpu:0=300B,cpu:1=300B"}}}); }, Code::kResourceExhausted, "300");
}

TEST_F(PlaceCommandTest, MeasuresTheStepsThatAreNamed) {
  const std::string printed = Place({{"--devices", {"cpu:0,cpu:1"}},
                                     {"--first", {"a_set", "b_set"}},
                                     {"--fetch", {"a_read", "b_read"}},
                                     {"--output", {output_}}});
  EXPECT_THAT(printed, testing::Not(HasSubstr("0 of 8 nodes")));
  EXPECT_THAT(printed, HasSubstr("a_read (Identity)"));
}

TEST_F(PlaceCommandTest, TakesTheCostsOfATrace) {
  const std::string trace = folder_.path() + "/trace.json";
  WriteFile(trace, R"({"traceEvents": [
    {"ph": "X", "name": "step", "cat": "computes", "ts": 0, "dur": 70, "args": {"node": "step 1"}},
    {"ph": "X", "name": "Identity", "cat": "computes", "ts": 1, "dur": 60, "args": {"node": "b_read"}}]})");
  const std::string printed = Place({{"--devices", {"cpu:0"}}, {"--costs", {trace}}});
  EXPECT_THAT(printed, HasSubstr("60.0 us  b_read (Identity)"));
  EXPECT_THAT(printed, HasSubstr("expected to take 0.060 ms"));
  EXPECT_THAT(printed, HasSubstr("1 of 8 nodes were measured"));
  WriteFile(trace, kTrace);
  ExpectRefusal([&] { Place({{"--devices", {"cpu:0"}}, {"--costs", {trace}}}); }, Code::kInvalidArgument, "no node");
}

TEST_F(PlaceCommandTest, RefusesOptionsThatDoNotGoTogether) {
  ExpectRefusal(
      [&] {
        Place({{"--costs", {"trace.json"}}, {"--fetch", {"a_read"}}});
      },
      Code::kInvalidArgument, "--costs");
  ExpectRefusal([&] { Place({{"--steps", {"0"}}}); }, Code::kInvalidArgument, "--steps");
  ExpectRefusal(
      [&] {
        Place({{"--devices", {"gpu:0"}}, {"--unknown-dimension", {"0"}}});
      },
      Code::kInvalidArgument, "--unknown-dimension");
}

}  // namespace
}  // namespace plumb::tools
