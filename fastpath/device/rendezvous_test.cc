// Laws of the rendezvous (W30–W32, X8).
#include "fastpath/device/rendezvous.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "fastpath/device/transfer.h"
#include "fastpath/testing/function_receiver.h"

namespace plumb::fast {
namespace {

Message Number(float value) { return {MakeScalar(value), false, nullptr}; }

// Writes down what receivers are told.
class Log {
 public:
  std::shared_ptr<Rendezvous::Receiver> Receiver(const std::string& name) {
    return std::make_shared<FunctionReceiver>([this, name](const Rendezvous::Outcome& outcome) {
      std::string what = outcome.is_closed ? "closed" : std::string(CodeName(outcome.status.code()));
      if (outcome.status.ok() && !outcome.is_closed) {
        what =
            outcome.message.is_dead ? "dead" : std::to_string(static_cast<int>(outcome.message.value.scalar<float>()));
      }
      lines_.push_back(name + "=" + what);
    });
  }
  std::vector<std::string> lines_;
};
using Lines = std::vector<std::string>;

const Channel kChannel;
constexpr RendezvousKey kKey{1, 0, 0}, kOther{1, 0, 1};

// W31: whoever comes first waits for the other; several on one key keep their order.
TEST(Rendezvous, SendAndRecvMatchInAnyOrder) {
  LocalRendezvous rendezvous(1);
  Log log;
  ASSERT_TRUE(rendezvous.Send(kChannel, kKey, Number(1)).ok());
  ASSERT_TRUE(rendezvous.Send(kChannel, kKey, {{}, true, nullptr}).ok());
  for (const char* name : {"a", "b", "c", "d"}) rendezvous.Receive(kKey, log.Receiver(name), false);
  rendezvous.Receive(kOther, log.Receiver("e"), false);
  ASSERT_TRUE(rendezvous.Send(kChannel, kKey, Number(3)).ok());
  ASSERT_TRUE(rendezvous.Send(kChannel, kKey, Number(4)).ok());
  EXPECT_EQ(log.lines_, (Lines{"a=1", "b=dead", "c=3", "d=4"}));
}

// However many wait, and whatever their keys have in common.
TEST(Rendezvous, MatchesEachOfManyKeys) {
  LocalRendezvous rendezvous(1);
  Log log;
  Lines expected;
  const auto key = [](int i) {
    return RendezvousKey{static_cast<uint64_t>(i % 3), static_cast<uint64_t>(i / 3 % 2), i / 6};
  };
  for (int i = 0; i < 400; ++i) rendezvous.Receive(key(i), log.Receiver(std::to_string(i)), false);
  for (int i = 0; i < 400; ++i) rendezvous.Receive(key(i), log.Receiver("again"), false);
  for (int i = 399; i >= 0; --i) {
    ASSERT_TRUE(rendezvous.Send(kChannel, key(i), Number(static_cast<float>(i))).ok());
    expected.push_back(std::to_string(i) + "=" + std::to_string(i));
  }
  EXPECT_EQ(log.lines_, expected);
}

// W32: those who wait and those who come later get the first status, and what was sent is gone.
TEST(Rendezvous, AnAbortReachesEverybody) {
  LocalRendezvous rendezvous(1);
  Log log;
  rendezvous.Receive(kKey, log.Receiver("a"), false);
  ASSERT_TRUE(rendezvous.Send(kChannel, kOther, Number(1)).ok());
  rendezvous.Abort(Status(Code::kAborted, "first"));
  rendezvous.Abort(Status(Code::kInternal, "second"));
  rendezvous.Receive(kOther, log.Receiver("b"), true);
  EXPECT_EQ(rendezvous.Send(kChannel, kKey, Number(2)).code(), Code::kAborted);
  EXPECT_EQ(log.lines_, (Lines{"a=ABORTED", "b=ABORTED"}));
}

TEST(Rendezvous, WhoWithdrawsIsNotCalled) {
  LocalRendezvous rendezvous(1);
  Log log;
  const auto a = log.Receiver("a"), b = log.Receiver("b"), c = log.Receiver("c");
  rendezvous.Receive(kKey, a, false);
  rendezvous.Receive(kKey, b, false);
  EXPECT_TRUE(rendezvous.Withdraw(*a));
  EXPECT_FALSE(rendezvous.Withdraw(*c));
  ASSERT_TRUE(rendezvous.Send(kChannel, kKey, Number(1)).ok());
  EXPECT_FALSE(rendezvous.Withdraw(*b));
  EXPECT_EQ(log.lines_, Lines{"b=1"});
}

// What waits when it is over goes with it, untold.
TEST(Rendezvous, KeepsNobodyWhenItGoes) {
  Log log;
  const auto receiver = log.Receiver("a");
  {
    LocalRendezvous rendezvous(1);
    rendezvous.Receive(kKey, receiver, false);
    ASSERT_TRUE(rendezvous.Send(kChannel, kOther, Number(1)).ok());
    EXPECT_GT(receiver.use_count(), 1);
  }
  EXPECT_EQ(receiver.use_count(), 1);
  EXPECT_TRUE(log.lines_.empty());
}

// X8: when all that is left are receivers that may go empty-handed, they do; the others wait on.
TEST(Rendezvous, ClosesWhenNobodyIsLeftWhoCouldSend) {
  LocalRendezvous rendezvous(2);
  Log log;
  rendezvous.BeginWork(1);  // a Recv begins, and waits
  rendezvous.Receive(kKey, log.Receiver("a"), true);
  rendezvous.EndWork(1);  // the first partition is idle
  EXPECT_TRUE(log.lines_.empty());
  rendezvous.EndWork(1);  // the second one is
  EXPECT_EQ(log.lines_, Lines{"a=closed"});
  rendezvous.BeginWork(1);  // a Recv of the user's own waits for somebody who may come yet
  rendezvous.Receive(kKey, log.Receiver("b"), false);
  rendezvous.EndWork(1);  // what became of a
  EXPECT_EQ(log.lines_.size(), 1u);
}

// W30: both sides name an iteration alike, and no two iterations alike.
TEST(Rendezvous, KeysTellIterationsApart) {
  const FrameIteration root, first{&root, "f", 0}, second{&root, "f", 1}, other{&root, "g", 0};
  const FrameIteration inner{&first, "h", 0}, later{&second, "h", 0};
  const Channel channel{"c", "there", 7};
  EXPECT_EQ(KeyOf(channel, root), (RendezvousKey{7, 0, 0}));
  EXPECT_EQ(TextOf(channel, KeyOf(channel, {nullptr, "", 3})), "c;0:3");
  EXPECT_EQ(FrameIdOf(first), FrameIdOf(second));
  const std::vector<const FrameIteration*> places = {&root, &first, &second, &other, &inner, &later};
  for (const auto* a : places) {
    for (const auto* b : places) EXPECT_EQ(KeyOf(channel, *a) == KeyOf(channel, *b), a == b);
  }
}

// W23, W30: both ends name their channel alike; one that the compiler counts is told from those that have no number.
TEST(Rendezvous, ChannelsAreNamedBySenderReceiverAndTensor) {
  const AttrMap attrs = {{"send_device", "here"},
                         {"recv_device", "there"},
                         {"send_device_incarnation", int64_t{-1}},
                         {"tensor_name", "x"}};
  const auto with = [&](const char* name, AttrValue value) {
    AttrMap other = attrs;
    other.insert_or_assign(name, std::move(value));
    return ChannelOf(other);
  };
  const Channel channel = ChannelOf(attrs);
  EXPECT_EQ(channel.name, "here;ffffffffffffffff;there;x");
  EXPECT_EQ(channel.receiver, "there");
  EXPECT_EQ(ChannelOf(attrs).number, channel.number);
  for (const char* name : {"send_device", "recv_device", "tensor_name"}) {
    EXPECT_NE(with(name, "other").number, channel.number) << name;
  }
  EXPECT_NE(with("send_device_incarnation", int64_t{1}).number, channel.number);
  EXPECT_EQ(with(kChannelNumber, int64_t{5}).number, 5u);
  EXPECT_GE(channel.number, uint64_t{1} << 63) << "where no count gets";
}

}  // namespace
}  // namespace plumb::fast
