#include "mpi/protocol/trace.h"

#include <gtest/gtest.h>

#include "spec/core/status.h"

namespace plumb::dist {
namespace {

RunMetadata Some() {
  RunMetadata metadata;
  metadata.step_stats = {
      {"/device:CPU:0", {{"a", "Neg", 10, 11, 12, 0}, {"b", "_Recv", 1'000'000'000'000'000, 5, 6, 3}}},
      {"/device:CPU:1", {}}};
  return metadata;
}

TEST(TracesOfParts, ArriveAsTheyWereSent) {
  const RunMetadata arrived = DecodeTrace(EncodeTrace(Some()));
  ASSERT_EQ(arrived.step_stats.size(), 1u) << "what has no nodes stays at home";
  EXPECT_EQ(arrived.step_stats[0].device, "/device:CPU:0");
  const NodeStats& node = arrived.step_stats[0].nodes.at(1);
  EXPECT_EQ(node.node, "b");
  EXPECT_EQ(node.op, "_Recv");
  EXPECT_EQ(node.scheduled_ns, 1'000'000'000'000'000);
  EXPECT_EQ(node.end_ns, 6);
  EXPECT_EQ(node.thread, 3);
}

TEST(TracesOfParts, RefuseEveryTruncation) {
  const std::string whole = EncodeTrace(Some());
  for (size_t size = 0; size < whole.size(); ++size) EXPECT_THROW(DecodeTrace(whole.substr(0, size)), Error) << size;
}

TEST(TracesOfParts, JoinByDevice) {
  RunMetadata all = Some(), part = Some();
  part.step_stats.push_back({"/device:CPU:2", {{"c", "Add", 1, 2, 3, 0}}});
  Shift(part, 100);
  Join(all, part);
  ASSERT_EQ(all.step_stats.size(), 2u);
  EXPECT_EQ(all.step_stats[0].nodes.size(), 4u);
  EXPECT_EQ(all.step_stats[0].nodes[2].end_ns, 112);
  EXPECT_EQ(all.step_stats[1].device, "/device:CPU:2");
}

}  // namespace
}  // namespace plumb::dist
