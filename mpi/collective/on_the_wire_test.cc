// What members on different ranks reduce, where a run asks for bfloat16 between its tasks.
#include "mpi/collective/on_the_wire.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "mpi/collective/members_testing.h"
#include "spec/core/half.h"

namespace plumb::dist {
namespace {

using fast::Wire;

// One number as it travels.
float Travelled(float value, Wire wire) {
  if (wire == Wire::kRounded) return static_cast<float>(BFloat16(value));
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) & 0xffff0000);
}

Tensor MeanByHand(const std::vector<Tensor>& inputs, Wire wire) {
  Tensor mean(DType::kFloat, inputs[0].shape());
  for (int64_t i = 0; i < mean.elements(); ++i) {
    float sum = Travelled(inputs[0].data<float>()[i], wire);
    for (size_t member = 1; member < inputs.size(); ++member) sum += Travelled(inputs[member].data<float>()[i], wire);
    sum /= static_cast<float>(inputs.size());
    mean.mutable_data<float>()[i] = static_cast<float>(BFloat16(sum));
  }
  return mean;
}

std::vector<Tensor> Inputs(int ranks, int64_t elements) {
  std::vector<Tensor> inputs;
  for (int rank = 0; rank < ranks; ++rank) inputs.push_back(Random(elements, static_cast<uint32_t>(rank)));
  return inputs;
}

// What each rank gets, two ranks to a host, each way in a group of its own; and the bytes that were sent.
struct Reduced {
  std::vector<std::vector<Tensor>> outputs;  // by rank and way
  int64_t payload_bytes = 0;
};
Reduced ReduceOver(const std::vector<Tensor>& inputs, Wire wire, const std::vector<const char*>& ways) {
  const auto ranks = static_cast<int>(inputs.size());
  SimulatedOptions links = Delayed(1);
  links.ranks_of_host = 2;
  links.shares_memory = true;
  TestCluster cluster(ranks, ServerOptions{.cluster = "", .wire = wire}, std::make_shared<SimulatedRun>(ranks, links));
  Reduced reduced;
  reduced.outputs.resize(inputs.size());
  std::vector<std::function<void()>> clients;
  for (int rank = 0; rank < ranks; ++rank) {
    clients.emplace_back([&, rank] {
      const auto session = cluster.Open(rank);
      fast::TestGraph graph;
      graph.Placeholder("x", DType::kFloat);
      std::vector<std::string> members;
      for (const char* way : ways) {
        AttrMap attrs = Reduce(ranks, DType::kFloat, "Div");
        attrs["group_key"] = int64_t{std::ssize(members)};
        attrs["communication_hint"] = std::string(way);
        members.push_back(graph.Add(way, "CollectiveReduce", {"x"}, attrs));
      }
      ASSERT_EQ(session->Extend(graph.def()).ToString(), "OK");
      const std::vector<Feed> feeds = {{"x", inputs[rank]}};
      EXPECT_EQ(session->Run({}, feeds, members, {}, &reduced.outputs[rank], nullptr).ToString(), "OK");
    });
  }
  cluster.RunTogether(clients);
  reduced.payload_bytes = cluster.payload_bytes();
  return reduced;
}

// Sizes that the keeper merges, and those that go in pieces.
TEST(OnTheWire, EveryWayHasTheBitsOfTheMembersOrder) {
  for (const Wire wire : {Wire::kTruncated, Wire::kRounded}) {
    for (const int ranks : {2, 5}) {
      for (const int64_t elements : {3, 20'000, 300'000}) {
        const std::vector<Tensor> inputs = Inputs(ranks, elements);
        const Tensor expected = MeanByHand(inputs, wire);
        for (const auto& outputs : ReduceOver(inputs, wire, {"auto", "ring", "tree", "shared"}).outputs) {
          ASSERT_EQ(outputs.size(), 4u);
          for (const Tensor& output : outputs) {
            EXPECT_TRUE(output.BitwiseEquals(expected)) << elements << " of " << ranks << " ranks";
          }
        }
      }
    }
  }
}

TEST(OnTheWire, HalfOfTheBytesAreSent) {
  const std::vector<Tensor> inputs = Inputs(3, 100'000);
  for (const char* way : {"auto", "tree"}) {
    const int64_t exact = ReduceOver(inputs, Wire::kExact, {way}).payload_bytes;
    EXPECT_GE(exact, 4 * 100'000) << way;
    EXPECT_EQ(2 * ReduceOver(inputs, Wire::kTruncated, {way}).payload_bytes, exact) << way;
  }
}

// A sum on its way has all of its bits, and what is not finite stays so.
TEST(OnTheWire, SumsAreThoseOfFloat32) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity(), kSmall = 1.0F / 512;
  const std::vector<Tensor> inputs = {MakeVector<float>({1, kInfinity, 0}), MakeVector<float>({kSmall, 1, -kInfinity}),
                                      MakeVector<float>({-1, -1, 3})};
  const Tensor expected = MakeVector<float>({static_cast<float>(BFloat16(kSmall / 3)), kInfinity, -kInfinity});
  for (const auto& outputs : ReduceOver(inputs, Wire::kTruncated, {"auto"}).outputs) {
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_TRUE(outputs[0].BitwiseEquals(expected));
  }
}

TEST(OnTheWire, OnlySumsOfFloat32AreOthers) {
  CollectiveMember member;
  member.group_size = 2;
  member.dtype = DType::kFloat;
  EXPECT_TRUE(TravelsAsBfloat16(member, Wire::kTruncated));
  EXPECT_TRUE(TravelsAsBfloat16(member, Wire::kRounded));
  EXPECT_FALSE(TravelsAsBfloat16(member, Wire::kExact));
  for (const DType type : {DType::kDouble, DType::kHalf, DType::kBfloat16, DType::kInt32}) {
    member.dtype = type;
    EXPECT_FALSE(TravelsAsBfloat16(member, Wire::kTruncated)) << DTypeName(type);
  }
  member.dtype = DType::kFloat;
  for (const CollectiveKind kind : {CollectiveKind::kGather, CollectiveKind::kBroadcast}) {
    member.kind = kind;
    EXPECT_FALSE(TravelsAsBfloat16(member, Wire::kTruncated));
  }
  member.kind = CollectiveKind::kReduce;
  member.group_size = 1;
  EXPECT_FALSE(TravelsAsBfloat16(member, Wire::kTruncated)) << "nothing travels";
}

}  // namespace
}  // namespace plumb::dist
