// What comes of a tensor does not depend on its way, nor on the order in which pieces arrive (rule CO3).
#include "mpi/collective/piece_exchange.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <map>
#include <random>

#include "fastpath/cpu/lib/collective/met.h"
#include "spec/core/half.h"

namespace plumb::dist {
namespace {

Tensor Random(DType type, int64_t elements, std::mt19937& random) {
  Tensor tensor(type, Shape{elements});
  const auto fill = [&]<class T>(T) {
    for (T& value : tensor.mutable_data<T>()) value = static_cast<T>(static_cast<float>(random()) / 1e6F);
  };
  switch (type) {
    case DType::kFloat:
      fill(0.0F);
      break;
    case DType::kDouble:
      fill(0.0);
      break;
    case DType::kBfloat16:
      fill(BFloat16());
      break;
    default:
      fill(int32_t{0});
  }
  return tensor;
}

// Members of one meeting, whose messages and merges come in an order that is drawn: those from one member to another in
// the order in which they were sent, all others in any.
class Meeting {
 public:
  Meeting(Way way, const CollectiveMember& member, const std::vector<int>& hosts, const std::vector<Tensor>& inputs,
          uint32_t seed)
      : random_(seed) {
    for (size_t i = 0; i < hosts.size(); ++i) {
      brought_.push_back(std::make_unique<Brought>(member, inputs[i]));
      members_.push_back(NewExchange(way, *brought_.back(), static_cast<int>(i), hosts));
    }
    for (size_t i = 0; i < hosts.size(); ++i) Do(static_cast<int>(i), members_[i]->First());
  }

  // `repeats`: each piece is sent once more, as long as its receiver is not through.
  void Run(bool repeats = false) {
    repeats_ = repeats;
    while (!under_way_.empty() || !merges_.empty()) {
      const size_t choice = random_() % (under_way_.size() + merges_.size());
      if (choice < merges_.size()) {
        const auto [member, chunk] = merges_[choice];
        merges_.erase(merges_.begin() + static_cast<std::ptrdiff_t>(choice));
        members_[member]->Merge(chunk, pool_);
        Do(member, members_[member]->Merged(chunk));
      } else {
        Deliver(std::next(under_way_.begin(), static_cast<std::ptrdiff_t>(choice - merges_.size())));
      }
    }
  }
  bool IsOver(size_t member) const { return members_[member]->IsOver(); }
  const Tensor& result(size_t member) const { return brought_[member]->result; }
  PieceExchange& member(size_t member) { return *members_[member]; }
  // Between members of different hosts, in whole tensors.
  int64_t bytes_between(const std::vector<int>& hosts) const {
    int64_t bytes = 0;
    for (const auto& [ways, sent] : bytes_) bytes += hosts[ways.first] != hosts[ways.second] ? sent : 0;
    return bytes;
  }
  int64_t messages() const { return messages_; }

 private:
  using Ways = std::pair<int, int>;  // from and to
  using UnderWay = std::map<Ways, std::deque<PieceExchange::Outgoing>>;

  void Do(int from, PieceExchange::Next next) {
    for (PieceExchange::Outgoing& piece : next.pieces) {
      bytes_[{from, piece.to}] += static_cast<int64_t>(piece.payload.bytes);
      ++messages_;
      under_way_[{from, piece.to}].push_back(std::move(piece));
    }
    for (const int chunk : next.merges) merges_.emplace_back(from, chunk);
  }
  // By reference, as between threads, or into its place, as between processes.
  void Deliver(UnderWay::iterator at) {
    const auto [from, to] = at->first;
    PieceExchange::Outgoing piece = std::move(at->second.front());
    at->second.pop_front();
    if (at->second.empty()) under_way_.erase(at);
    Payload payload = piece.payload;
    if (random_() % 2 == 0) {
      const Place place = members_[to]->PlaceFor(from, piece.is_result, piece.chunk, payload.bytes);
      std::memcpy(place.data, payload.data, payload.bytes);
      payload = {place.data, payload.bytes, place.owner, true};
    }
    Do(to, members_[to]->Take(from, piece.is_result, piece.chunk, std::move(payload)));
    if (repeats_ && !members_[to]->IsOver()) ExpectRefused(from, *members_[to], piece);
  }
  static void ExpectRefused(int from, PieceExchange& to, const PieceExchange::Outgoing& piece) {
    const std::string what = Str(piece.is_result ? "a result" : "a part", " of chunk ", piece.chunk, " from ", from);
    EXPECT_THROW(to.PlaceFor(from, piece.is_result, piece.chunk, piece.payload.bytes), Error) << what;
    EXPECT_THROW(to.Take(from, piece.is_result, piece.chunk, piece.payload), Error) << what;
  }

  std::mt19937 random_;
  fast::ThreadPool pool_{1};
  std::vector<std::unique_ptr<Brought>> brought_;
  std::vector<std::unique_ptr<PieceExchange>> members_;
  UnderWay under_way_;
  std::vector<std::pair<int, int>> merges_;
  std::map<Ways, int64_t> bytes_;
  int64_t messages_ = 0;
  bool repeats_ = false;
};

CollectiveMember Member(DType type, int64_t elements, size_t members, MergeOp merge, bool divides) {
  CollectiveMember member;
  member.group_size = static_cast<int64_t>(members);
  member.merge = merge;
  member.divides = divides;
  member.dtype = type;
  member.shape = Shape{elements};
  return member;
}

constexpr Way kWays[] = {Way::kAllToAll, Way::kRing, Way::kHosts, Way::kTree};
const std::vector<int> kHosts[] = {
    {0, 0},       {0, 1},          {0, 0, 0},       {0, 0, 1},          {0, 1, 1},
    {0, 0, 1, 1}, {0, 1, 0, 1, 0}, {0, 0, 0, 1, 1}, {0, 1, 2, 2, 2, 3}, {0, 0, 0, 0, 0, 1, 1}};

// Sizes around those of chunks, which have 256 KiB.
TEST(PieceExchange, EveryWayHasTheBitsOfTheMembersOrder) {
  fast::ThreadPool pool(1);
  uint32_t seed = 1;
  for (const DType type : {DType::kFloat, DType::kDouble, DType::kBfloat16, DType::kInt32}) {
    const auto chunk = static_cast<int64_t>(256 * 1024 / ElementSize(type));
    for (const std::vector<int>& hosts : kHosts) {
      for (const int64_t elements : {int64_t{7}, int64_t{1000}, chunk - 1, chunk, chunk + 1, 3 * chunk + 5}) {
        std::mt19937 random(++seed);
        const MergeOp merge = seed % 4 == 0 ? MergeOp::kMax : MergeOp::kAdd;
        const CollectiveMember member = Member(type, elements, hosts.size(), merge, seed % 2 == 0);
        std::vector<Tensor> inputs;
        for (size_t i = 0; i < hosts.size(); ++i) inputs.push_back(Random(type, elements, random));
        Tensor expected;
        ASSERT_EQ(fast::cpu::WhatComesOf(pool, member, inputs, expected).ToString(), "OK");
        for (const Way way : kWays) {
          Meeting meeting(way, member, hosts, inputs, seed);
          meeting.Run();
          for (size_t i = 0; i < hosts.size(); ++i) {
            ASSERT_TRUE(meeting.IsOver(i)) << static_cast<int>(way) << " of " << hosts.size();
            ASSERT_TRUE(meeting.result(i).BitwiseEquals(expected))
                << DTypeName(type) << ", " << elements << " of " << hosts.size() << " members, at " << i << ", way "
                << static_cast<int>(way);
          }
        }
      }
    }
  }
}

// What stands in chain_reduce.h and tree_reduce.h, of a megabyte in four chunks.
TEST(PieceExchange, WaysDifferInWhatTheySend) {
  constexpr int64_t kElements = 256 * 1024, kBytes = 4 * kElements;
  const std::vector<int> hosts = {0, 0, 0, 0, 1, 1, 1, 1};
  const CollectiveMember member = Member(DType::kFloat, kElements, hosts.size(), MergeOp::kAdd, false);
  const std::vector<Tensor> inputs(hosts.size(), Tensor(DType::kFloat, Shape{kElements}));
  const auto sent = [&](Way way, bool messages) {
    Meeting meeting(way, member, hosts, inputs, 1);
    meeting.Run();
    return messages ? meeting.messages() : meeting.bytes_between(hosts);
  };
  EXPECT_EQ(sent(Way::kAllToAll, false), 8 * kBytes);
  EXPECT_EQ(sent(Way::kHosts, false), 2 * kBytes) << "sums to the second host, results to the first";
  EXPECT_EQ(sent(Way::kRing, false), 3 * kBytes) << "results pass the first host and reach the second again";
  EXPECT_EQ(sent(Way::kAllToAll, true), 2 * 8 * 7);
  EXPECT_EQ(sent(Way::kTree, true), 4 * 2 * 7);
}

TEST(PieceExchange, PiecesThatNobodySendsAreRefused) {
  const std::vector<int> hosts = {0, 0, 1, 1};
  const CollectiveMember member = Member(DType::kFloat, 100'000, hosts.size(), MergeOp::kAdd, false);
  const std::vector<Tensor> inputs(hosts.size(), Tensor(DType::kFloat, Shape{100'000}));
  const Tensor bytes(DType::kFloat, Shape{50'000});
  for (const Way way : kWays) {
    Meeting meeting(way, member, hosts, inputs, 1);
    PieceExchange& second = meeting.member(1);
    for (const auto& [from, is_result, chunk] : std::vector<std::tuple<int, bool, int>>{
             {-1, false, 0}, {4, true, 0}, {1, false, 0}, {1, true, 0}, {0, false, -1}, {0, true, 2}}) {
      EXPECT_THROW(second.PlaceFor(from, is_result, chunk, bytes.bytes()), Error) << from << " " << chunk;
      EXPECT_THROW(second.Take(from, is_result, chunk, PayloadOf(bytes)), Error) << from << " " << chunk;
    }
    EXPECT_THROW(second.Take(0, false, 0, PayloadOf(MakeVector<float>({1}))), Error);
    EXPECT_THROW(second.Take(0, true, 0, PayloadOf(MakeVector<float>({1}))), Error);
  }
}

// Whoever sends one again must not make a member believe that it has all.
TEST(PieceExchange, PiecesThatComeTwiceAreRefused) {
  constexpr int64_t kElements = 3 * 64 * 1024 + 5;  // of float32, in four chunks
  fast::ThreadPool pool(1);
  uint32_t seed = 1;
  for (const std::vector<int>& hosts : kHosts) {
    for (const CollectiveKind kind : {CollectiveKind::kReduce, CollectiveKind::kGather}) {
      std::mt19937 random(++seed);
      CollectiveMember member = Member(DType::kFloat, kElements, hosts.size(), MergeOp::kAdd, false);
      member.kind = kind;
      std::vector<Tensor> inputs;
      for (size_t i = 0; i < hosts.size(); ++i) inputs.push_back(Random(DType::kFloat, kElements, random));
      Tensor expected;
      ASSERT_EQ(fast::cpu::WhatComesOf(pool, member, inputs, expected).ToString(), "OK");
      for (const Way way : kWays) {
        if (kind != CollectiveKind::kReduce && way != Way::kAllToAll) continue;
        Meeting meeting(way, member, hosts, inputs, seed);
        meeting.Run(/*repeats=*/true);
        for (size_t i = 0; i < hosts.size(); ++i) {
          ASSERT_TRUE(meeting.IsOver(i)) << static_cast<int>(way) << " of " << hosts.size();
          ASSERT_TRUE(meeting.result(i).BitwiseEquals(expected)) << static_cast<int>(way) << " of " << hosts.size();
        }
      }
    }
  }
}

}  // namespace
}  // namespace plumb::dist
