#include "mpi/protocol/messages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "mpi/protocol/messages_testing.h"
#include "spec/core/status_testing.h"

namespace plumb::dist {
namespace {

Value SomeValue() {
  Value value;
  value.step = {3, 1234567890123};
  value.key = {uint64_t{1} << 63 | 5, std::numeric_limits<uint64_t>::max(), -3};
  value.dtype = static_cast<int32_t>(DType::kFloat);
  value.dims = {2, 0, 5};
  return value;
}

TEST(Messages, ArriveAsTheyWereSent) {
  const Value value = Decode<Value>(Encode(SomeValue()));
  EXPECT_EQ(value.step, (StepName{3, 1234567890123}));
  EXPECT_EQ(value.key, SomeValue().key);
  EXPECT_EQ(value.dims, (std::vector<int64_t>{2, 0, 5}));
  EXPECT_FALSE(value.is_dead);

  const Status failed(Code::kNotFound, "no such kernel", Reason::kNoKernel);
  const Stop stop = Decode<Stop>(Encode(Stop{{1, 2}, failed}));
  EXPECT_EQ(stop.status.ToString(), failed.ToString());
  EXPECT_EQ(stop.status.reason(), Reason::kNoKernel);

  const Probed probed = Decode<Probed>(Encode(Probed{7, 8, {true, false, 9, {0, 1}, {2, 0}}}));
  EXPECT_TRUE(probed.standing.is_idle);
  EXPECT_EQ(probed.standing.sent, (std::vector<int64_t>{0, 1}));
}

TEST(Messages, MembersArriveAsTheyWereSent) {
  CollectiveMember member;
  member.device = "/job:worker/replica:0/task:1/device:CPU:0";
  member.group_size = 3;
  member.instance_key = -7;
  member.merge = MergeOp::kMax;
  member.divides = true;
  member.dtype = DType::kHalf;
  member.shape = {2, 5};
  member.timeout_seconds = 1.5;
  member.hint = CollectiveHint::kTree;
  const Member sent = Described(member);
  const CollectiveMember arrived = MemberFrom(Decode<JoinMessage>(Encode(JoinMessage{4, 1, sent})).member);
  EXPECT_EQ(WhyNotWith(member, arrived), "");
  EXPECT_EQ(arrived.timeout_seconds, 1.5);
  EXPECT_EQ(arrived.hint, CollectiveHint::kTree);
  EXPECT_EQ(WhoIsThere(std::vector{arrived}), WhoIsThere(std::vector{member}));
  const auto refused = [&](auto change) {
    Member other = sent;
    change(other);
    EXPECT_THROW(MemberFrom(other), Error);
  };
  refused([](Member& other) { other.kind = 3; });
  refused([](Member& other) { other.merge = -1; });
  refused([](Member& other) { other.group_size = 0; });
  refused([](Member& other) { other.dtype = static_cast<int32_t>(DType::kString); });
  refused([](Member& other) { other.dims = {-1}; });
  refused([](Member& other) { other.hint = 4; });

  const Met met = Decode<Met>(Encode(Met{9, OkStatus(), false, {{1, 2}, {0, 5}}, 2}));
  ASSERT_EQ(met.seats.size(), 2u);
  EXPECT_EQ(met.seats[1].ticket, 5);
  EXPECT_EQ(HintOf(met.hint), CollectiveHint::kTree);
}

TEST(Messages, NumbersKeepTheirBits) {
  for (const int64_t number : {int64_t{0}, int64_t{-1}, int64_t{63}, int64_t{64}, std::numeric_limits<int64_t>::min(),
                               std::numeric_limits<int64_t>::max()}) {
    EXPECT_EQ(Decode<Forget>(Encode(Forget{number})).session, number);
  }
}

TEST(Messages, OfEveryKindArriveAsTheyWereSent) {
  ForEachMessage([]<class T>(std::type_identity<T>) {
    const std::string sent = Encode(Filled<T>());
    EXPECT_EQ(KindOf(sent), T::kKind);
    EXPECT_EQ(Encode(Decode<T>(sent)), sent);
    EXPECT_EQ(Encode(Decode<T>(Encode(T()))), Encode(T()));
  });
}

TEST(Messages, OfEveryKindRefuseEveryTruncationAndEveryTail) {
  ForEachMessage([]<class T>(std::type_identity<T>) {
    const std::string whole = Encode(Filled<T>());
    const auto refusal = [](const std::string& bytes) { return StatusOf([&] { Decode<T>(bytes); }).code(); };
    for (size_t size = 0; size < whole.size(); ++size) {
      EXPECT_EQ(refusal(whole.substr(0, size)), Code::kInvalidArgument) << size << " bytes of " << whole;
    }
    EXPECT_EQ(refusal(whole + '\0'), Code::kInvalidArgument);
    std::string other = whole;
    other[0] = static_cast<char>(T::kKind == MessageKind::kStart ? MessageKind::kProbe : MessageKind::kStart);
    EXPECT_EQ(refusal(other), Code::kInvalidArgument);
  });
}

// What is read of hostile bytes is a message: written and read again it stays the same. All else is refused.
void RefusesOrReads(const std::string& bytes) {
  const Payload payload = PayloadOf(std::string(40, '\1'));
  std::string written;
  const Status status = StatusOf([&] { written = Reread(bytes, payload); });
  if (!status.ok()) {
    EXPECT_TRUE(status.code() == Code::kInvalidArgument || status.code() == Code::kDataLoss) << status.ToString();
  } else {
    EXPECT_EQ(Reread(written, payload), written);
  }
}

TEST(Messages, OfEveryKindRefuseOrReadAnyByte) {
  ForEachMessage([]<class T>(std::type_identity<T>) {
    const std::string whole = Encode(Filled<T>());
    for (size_t at = 0; at < whole.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string changed = whole;
        changed[at] = static_cast<char>(byte);
        RefusesOrReads(changed);
      }
    }
  });
}

TEST(Messages, OfEveryKindRefuseOrReadWhatIsMixed) {
  constexpr int kMixtures = 2000;
  std::mt19937 random(1);
  const auto below = [&](size_t limit) { return random() % limit; };
  ForEachMessage([&]<class T>(std::type_identity<T>) {
    const std::string whole = Encode(Filled<T>());
    for (int mixture = 0; mixture < kMixtures; ++mixture) {
      std::string mixed = whole;
      for (size_t changes = 1 + below(4); changes > 0 && mixed.size() > 1; --changes) {
        const size_t at = 1 + below(mixed.size() - 1);
        if (below(3) == 0) {
          mixed.erase(at, 1 + below(4));
        } else if (below(2) == 0) {
          mixed.insert(at, whole.substr(below(whole.size()), below(8)));
        } else {
          mixed[at] = static_cast<char>(below(256));
        }
      }
      RefusesOrReads(mixed);
    }
  });
}

TEST(Messages, RefuseCountsThatNothingFollows) {
  Writer writer;
  writer(int64_t{1}, std::numeric_limits<uint64_t>::max());
  std::string bytes = writer.Take();
  bytes.insert(bytes.begin(), static_cast<char>(MessageKind::kReset));
  EXPECT_THROW(Decode<Reset>(bytes), Error);
}

TEST(Values, ArriveWithTheirElements) {
  for (const Tensor& sent : {MakeTensor<float>({2, 2}, {1, 2, 3, 4}), MakeVector<std::string>({"a", "", "c"}),
                             Tensor(DType::kInt32, Shape({0, 3})), MakeScalar(true)}) {
    Value value;
    const Payload payload = PayloadOf(value, sent);
    const Tensor received = TensorOf(Decode<Value>(Encode(value)), payload);
    EXPECT_TRUE(received.BitwiseEquals(sent)) << received.ToString();
  }
}

// Few numbers travel in the message itself, and nothing follows; many, and what are no numbers, follow.
TEST(Values, HoldFewNumbersThemselves) {
  const Tensor few(DType::kInt32, Shape({kHeldBytes / 4})), many(DType::kInt32, Shape({kHeldBytes / 4 + 1}));
  for (const Tensor& sent : {MakeScalar(3.0F), MakeTensor<int64_t>({2, 2}, {1, 2, 3, 4}), few, many,
                             Tensor(DType::kInt32, Shape({0, 3})), MakeVector<std::string>({"a"})}) {
    Value value;
    const Payload payload = ElementsOf(value, sent);
    EXPECT_EQ(payload.bytes != 0, sent.SharesWith(many) || sent.dtype() == DType::kString) << sent.ToString();
    const std::string message = Encode(value);
    const Tensor received = TensorOf(Decode<Value>(message), payload);
    EXPECT_TRUE(received.BitwiseEquals(sent)) << received.ToString();
    EXPECT_FALSE(sent.elements() > 0 && received.raw() == sent.raw() && payload.bytes == 0);
  }
}

// Of elements that end early: nothing, or a tensor of the type and shape that was promised.
TEST(Values, RefuseEveryTruncation) {
  for (const Tensor& sent :
       {MakeTensor<float>({2, 2}, {1, 2, 3, 4}), MakeVector<Half>({Half(1.0F), Half(2.0F)}),
        MakeVector<std::complex<double>>({{1, 2}}), MakeVector<bool>({true, false}), MakeVector<int64_t>({1, 2}),
        MakeVector<std::string>({"a", "", "c"}), Tensor(DType::kString, Shape({2, 3}))}) {
    Value value;
    const Payload payload = PayloadOf(value, sent);
    const std::string_view whole(static_cast<const char*>(payload.data), payload.bytes);
    for (size_t size = 0; size < whole.size(); ++size) {
      const Payload cut = PayloadOf(std::string(whole.substr(0, size)));
      Tensor read;
      const Status status = StatusOf([&] { read = TensorOf(value, cut); });
      const bool is_number = sent.dtype() != DType::kString;
      EXPECT_TRUE(!status.ok() || (!is_number && read.dtype() == sent.dtype() && read.shape() == sent.shape()))
          << size << " bytes of " << sent.ToString();
      if (is_number && size > 0) {
        EXPECT_THROW(PlaceFor(value, size), Error);
      }
    }
  }
}

TEST(Values, RefuseElementsThatDoNotFit) {
  Value value;
  PayloadOf(value, MakeTensor<float>({2, 2}, {1, 2, 3, 4}));
  EXPECT_THROW(TensorOf(value, PayloadOf(std::string("123"))), Error);
  value.dims = {-1};
  EXPECT_THROW(TensorOf(value, Payload()), Error);
  value.dims = {std::numeric_limits<int64_t>::max(), 4};
  EXPECT_THROW(TensorOf(value, Payload()), Error);
  value.dims = {1};
  value.dtype = 101;
  EXPECT_THROW(TensorOf(value, PayloadOf(std::string("1234"))), Error);
  value.dtype = static_cast<int32_t>(DType::kFloat);
  for (const char* elements : {"", "123", "12345"}) {
    value.elements = elements;
    EXPECT_THROW(TensorOf(value, Payload()), Error) << elements;
  }
}

}  // namespace
}  // namespace plumb::dist
