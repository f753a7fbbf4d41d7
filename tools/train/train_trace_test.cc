// What is written for Chrome and Perfetto: each rank a process, each thread a row.
#include "tools/train/train_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace plumb::tools {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr char kFirst[] = "/job:worker/replica:0/task:0", kSecond[] = "/job:worker/replica:0/task:1";
constexpr int64_t kStart = 1'700'000'000'000'000'000;

NodeStats At(const char* node, const char* op, int64_t scheduled, int64_t start, int64_t end, int32_t thread = 0) {
  return {node, op, kStart + scheduled, kStart + start, kStart + end, thread};
}

json Written() {
  RunMetadata metadata;
  metadata.step_stats = {
      {std::string(kFirst) + "/device:CPU:0",
       {At("a", "MatMul", 1000, 1000, 3000), At("b", "Add", 1500, 1500, 2500, 4), At("r", "_Recv", 1200, 9000, 9000),
        At("q", "_Recv", 2000, 3000, 3000), At("s", "_Recv", 4000, 5000, 5000)}},
      {std::string(kSecond) + "/device:CPU:0", {At("far", "Neg", 2000, 2000, 2001)}},
      {std::string(kSecond) + "/device:GPU:0/stream:0", {At("k:Exp", "Exp", 4000, 4000, 9000)}},
      {std::string(kSecond) + "/device:GPU:0/stream:1", {At("MEMCPYHtoD", "4 bytes", 1000, 3000, 4000)}},
      {std::string(kSecond) + "/device:GPU:0/stream:all", {At("again", "Exp", 4000, 4000, 9000)}},
      {"/job:elsewhere/replica:0/task:0/device:CPU:0", {At("lost", "Neg", 2000, 2000, 2001)}}};
  AddStep(metadata, kFirst, 7, kStart, kStart + 10'000);
  return json::parse(ChromeTrace(metadata, {{0, {kFirst, "host", 0}}, {1, {kSecond, "other", 2.5}}}));
}

json EventOf(const json& trace, const std::string& node) {
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] == "X" && event["args"]["node"] == node) return event;
  }
  return {};
}

TEST(ChromeTraces, HaveAnEventForEachNodeOfARank) {
  const json trace = Written(), a = EventOf(trace, "a"), far = EventOf(trace, "far");
  EXPECT_EQ(a["pid"], 0);
  EXPECT_EQ(a["name"], "MatMul");
  EXPECT_EQ(a["ts"], 1.0);
  EXPECT_EQ(a["dur"], 2.0);
  EXPECT_EQ(far["pid"], 1);
  EXPECT_EQ(far["ts"], 2.0);
  EXPECT_EQ(EventOf(trace, "step 7")["dur"], 10.0);
  EXPECT_TRUE(EventOf(trace, "lost").is_null());
  EXPECT_NE(a["tid"], EventOf(trace, "b")["tid"]) << "threads are rows";
}

// Events of a row never overlap, so that no viewer takes one for a part of another.
TEST(ChromeTraces, GiveThoseWhoWaitTogetherRowsOfTheirOwn) {
  const json trace = Written(), r = EventOf(trace, "r"), q = EventOf(trace, "q"), s = EventOf(trace, "s");
  EXPECT_EQ(r["ts"], 1.2);
  EXPECT_EQ(r["cat"], "waits");
  EXPECT_NE(r["tid"], q["tid"]);
  EXPECT_EQ(q["tid"], s["tid"]);
}

// A stream is a row, on which nothing waits; what stands in its line is written once.
TEST(ChromeTraces, GiveStreamsRowsOfTheirOwn) {
  const json trace = Written(), kernel = EventOf(trace, "k:Exp"), copy = EventOf(trace, "MEMCPYHtoD");
  EXPECT_EQ(kernel["cat"], "streams");
  EXPECT_EQ(kernel["dur"], 5.0);
  EXPECT_EQ(copy["cat"], "streams");
  EXPECT_EQ(copy["ts"], 3.0);
  EXPECT_NE(kernel["tid"], copy["tid"]);
  EXPECT_NE(kernel["tid"], EventOf(trace, "far")["tid"]);
  EXPECT_TRUE(EventOf(trace, "again").is_null());
  EXPECT_THAT(trace.dump(), HasSubstr("device:GPU:0/stream:0"));
}

TEST(ChromeTraces, NameProcessesAndSayHowFarClocksAreToBeTrusted) {
  const json trace = Written();
  EXPECT_THAT(trace.dump(), HasSubstr("rank 1 /job:worker/replica:0/task:1 on other"));
  EXPECT_EQ(trace["otherData"]["clock error in microseconds"]["rank 1"], 2.5);
}

}  // namespace
}  // namespace plumb::tools
