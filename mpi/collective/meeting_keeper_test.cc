// What a keeper tells those who come, when others cannot come any more (rule CO6).
#include "mpi/collective/meeting_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mpi/transport/loopback.h"
#include "mpi/transport/testing/mailbox.h"

namespace plumb::dist {
namespace {

using ::testing::HasSubstr;

// Three ranks; rank 0 keeps the meetings, and rank 1 is asked what it hears.
class Keeping : public ::testing::Test {
 protected:
  Keeping()
      : ends_(NewLoopback(3)),
        post_(*ends_[0]),
        keeper_(std::make_shared<MeetingKeeper>(post_, 1)),
        pool_(2),
        lane_(pool_, /*has_thread=*/true) {
    for (size_t rank = 0; rank < 3; ++rank) ends_[rank]->Start(&boxes_[rank]);
  }
  ~Keeping() override {
    for (const auto& end : ends_) end->Stop();
  }

  static CollectiveMember MemberOn(int rank, int64_t group_size, int64_t group_key = 1) {
    CollectiveMember member;
    member.device = Str("/job:worker/replica:0/task:", rank, "/device:CPU:0");
    member.group_size = group_size;
    member.group_key = group_key;
    member.dtype = DType::kInt32;
    return member;
  }
  // The step of the rank's member has failed before that came.
  void Fail(int rank, int64_t group_size) {
    const Status cause(Code::kDataLoss, "the input ended");
    keeper_->Take(rank, Absent{++executions_[rank], Described(MemberOn(rank, group_size)), cause});
  }
  // The rank's member comes, with one number.
  void Come(int rank, int64_t ticket, int64_t group_size, int64_t group_key = 1) {
    const CollectiveMember member = MemberOn(rank, group_size, group_key);
    keeper_->Take(rank, Join{ticket, ++executions_[rank], Described(member)}, PayloadOf(MakeScalar<int32_t>(rank + 1)),
                  lane_);
  }
  Met Heard(int rank, Payload* payload = nullptr) {
    const Letter letter = boxes_[rank].Next(0);
    if (payload != nullptr) *payload = letter.payload;
    return Decode<Met>(letter.head);
  }
  static Status Gone(int rank) { return Status(Code::kUnavailable, Str("rank ", rank, " is gone")); }

  std::vector<std::unique_ptr<Transport>> ends_;
  Mailbox boxes_[3];
  int64_t executions_[3] = {};
  Post post_;
  std::shared_ptr<MeetingKeeper> keeper_;
  fast::ThreadPool pool_;
  MergeLane lane_;
};

TEST_F(Keeping, SmallTensorsAreMergedHere) {
  Come(1, 10, 2);
  Come(2, 20, 2);
  Payload payload;
  const Met met = Heard(1, &payload);
  EXPECT_EQ(met.ticket, 10);
  ASSERT_TRUE(met.has_result);
  EXPECT_EQ(TensorOf(payload, DType::kInt32, {}).scalar<int32_t>(), 5);
  EXPECT_EQ(Heard(2).ticket, 20);
}

TEST_F(Keeping, WhoWithdrawsDissolvesTheMeeting) {
  Come(1, 10, 3);
  Come(2, 20, 3);
  keeper_->Take(2, Withdraw{20, false});
  EXPECT_EQ(Heard(1).status.code(), Code::kCancelled);
  EXPECT_EQ(Heard(2).ticket, 20);
  keeper_->Take(2, Withdraw{20, false});  // nobody hears of what is over
  Come(1, 11, 1);
  EXPECT_EQ(Heard(1).ticket, 11);
}

// Each rank counts its tickets: one of another rank is not meant, whatever its number.
TEST_F(Keeping, WhoWithdrawsIsKnownByItsRankAndTicket) {
  for (const int withdrawing : {1, 2}) {
    const int64_t ticket = 10 * withdrawing;
    const int staying = 3 - withdrawing;
    for (const int rank : {1, 2}) Come(rank, ticket, 2, /*group_key=*/100 + ticket + rank);
    keeper_->Take(withdrawing, Withdraw{ticket, false});
    EXPECT_EQ(Heard(withdrawing).status.code(), Code::kCancelled);
    Come(0, ticket, 2, 100 + ticket + staying);
    EXPECT_EQ(Heard(staying).status.ToString(), "OK");
    EXPECT_EQ(Heard(0).status.ToString(), "OK");
  }
}

// CO7: of large tensors all are told who has come, and which way the first one asks for.
TEST_F(Keeping, TheFirstMemberSaysTheWay) {
  for (const int rank : {2, 1}) {
    CollectiveMember member = MemberOn(rank, 2);
    member.shape = Shape{100'000};
    member.hint = rank == 1 ? CollectiveHint::kRing : CollectiveHint::kTree;
    keeper_->Take(rank, Join{10 + rank, ++executions_[rank], Described(member)}, {}, lane_);
  }
  for (const int rank : {1, 2}) {
    const Met met = Heard(rank);
    EXPECT_EQ(HintOf(met.hint), CollectiveHint::kRing);
    ASSERT_EQ(met.seats.size(), 2u);
    EXPECT_EQ(met.seats[0].rank, 1);
  }
}

// CO6: whoever is there is told, and whoever comes later, once each; and then they meet as ever.
TEST_F(Keeping, AMemberThatWillNotComeFailsItsMeeting) {
  Come(1, 10, 3);
  Fail(0, 3);
  const Met there = Heard(1);
  EXPECT_EQ(there.ticket, 10);
  EXPECT_EQ(there.status.code(), Code::kCancelled);
  EXPECT_THAT(there.status.ToString(), HasSubstr("the input ended"));
  Come(2, 20, 3);
  EXPECT_THAT(Heard(2).status.ToString(), HasSubstr("task:0"));
  for (int rank = 0; rank < 3; ++rank) Come(rank, 30 + rank, 3);
  for (int rank = 0; rank < 3; ++rank) EXPECT_EQ(Heard(rank).status.ToString(), "OK");
}

// The n-th execution of each member is of one meeting: a second failure of the same one is no other, and who has been
// further is not told.
TEST_F(Keeping, AFailureIsOfTheExecutionThatItWouldHaveBeen) {
  Fail(0, 2);
  Fail(1, 2);
  Come(0, 1, 2);
  Come(1, 10, 2);
  EXPECT_EQ(Heard(1).status.ToString(), "OK");
  Come(1, 11, 2);
  keeper_->Take(1, Withdraw{11, false});  // its step has failed for a reason of its own
  EXPECT_EQ(Heard(1).status.code(), Code::kCancelled);
  Fail(0, 2);  // which makes that of the other fail
  Come(1, 12, 2);
  Come(0, 2, 2);
  EXPECT_EQ(Heard(1).status.ToString(), "OK");
}

// CO6: the same of one that waits when its step fails. Who has been told already goes on to the next execution, and the
// one that comes late to this one does not meet it there.
TEST_F(Keeping, AMemberThatWaitsInVainFailsItsExecution) {
  Come(1, 10, 3);
  keeper_->Take(1, Withdraw{10, false, Status(Code::kDataLoss, "the input ended")});
  EXPECT_THAT(Heard(1).status.ToString(), HasSubstr("the input ended"));
  Come(1, 11, 3);
  Come(2, 20, 3);
  const Met late = Heard(2);
  EXPECT_EQ(late.ticket, 20);
  EXPECT_EQ(late.status.code(), Code::kCancelled);
  EXPECT_THAT(late.status.ToString(), HasSubstr("(rank 1) failed while that waited: DATA_LOSS: the input ended"));
  Fail(0, 3);
  Come(0, 1, 3);
  Come(2, 21, 3);
  for (int rank = 0; rank < 3; ++rank) EXPECT_EQ(Heard(rank).status.ToString(), "OK");
}

// CO7: who comes later to an execution that somebody has waited for too long is told the same.
TEST_F(Keeping, WhoComesTooLateIsTold) {
  Come(1, 10, 2);
  keeper_->Take(1, Withdraw{10, true});
  EXPECT_EQ(Heard(1).status.code(), Code::kDeadlineExceeded);
  Come(1, 11, 2);
  Come(2, 20, 2);
  EXPECT_EQ(Heard(2).status.code(), Code::kDeadlineExceeded);
  Come(2, 21, 2);
  for (const int rank : {1, 2}) EXPECT_EQ(Heard(rank).status.ToString(), "OK");
}

// Of more failed meetings than are remembered the first one is forgotten: one who comes is told of each that is not.
TEST_F(Keeping, SoManyFailuresAreRemembered) {
  constexpr int kMostFailed = 64;
  for (int i = 0; i < kMostFailed + 1; ++i) Fail(1, 2);
  for (int i = 0; i < kMostFailed; ++i) {
    Come(2, i, 2);
    EXPECT_EQ(Heard(2).status.code(), Code::kCancelled) << i;
  }
  Come(2, kMostFailed, 2);
  Come(1, kMostFailed, 2);
  for (const int rank : {1, 2}) EXPECT_TRUE(Heard(rank).status.ok());
}

TEST_F(Keeping, WhoIsMissingIsNamedWhenAMemberIsLate) {  // CO7
  Come(1, 10, 3);
  Come(2, 20, 3);
  keeper_->Take(2, Withdraw{20, true});
  for (const int rank : {1, 2}) {
    const Status status = Heard(rank).status;
    EXPECT_EQ(status.code(), Code::kDeadlineExceeded);
    EXPECT_THAT(status.ToString(), HasSubstr("2 of 3 members"));
    EXPECT_THAT(status.ToString(), HasSubstr("nobody has come from rank 0"));
  }
}

TEST_F(Keeping, AMeetingWithoutEnoughRanksIsInVain) {
  Come(1, 10, 3);
  Come(1, 11, 2, /*group_key=*/2);
  keeper_->Lose(2, Gone(2));
  const Met met = Heard(1);
  EXPECT_EQ(met.ticket, 10);
  EXPECT_THAT(met.status.ToString(), HasSubstr("rank 2 is gone"));
  Come(0, 5, 2, /*group_key=*/2);  // two are enough here
  EXPECT_TRUE(Heard(1).status.ok());
}

TEST_F(Keeping, AGroupThatHasMetNeedsTheSameRanks) {
  Come(1, 10, 2);
  Come(2, 20, 2);
  EXPECT_TRUE(Heard(1).status.ok());
  keeper_->Lose(2, Gone(2));
  Come(1, 11, 2);
  const Met met = Heard(1);
  EXPECT_EQ(met.ticket, 11);
  EXPECT_EQ(met.status.code(), Code::kUnavailable);
}

TEST_F(Keeping, ALostMemberEndsItsMeeting) {
  Come(2, 20, 2);
  keeper_->Lose(2, Gone(2));
  Come(1, 10, 2);
  Come(0, 5, 2);
  EXPECT_TRUE(Heard(1).status.ok()) << "it meets rank 0, not what rank 2 had left";
}

}  // namespace
}  // namespace plumb::dist
