// Laws of the rendezvous (W30–W32, X8).
#include "fastpath/device/rendezvous.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plumb::fast {
namespace {

Message Number(float value) { return {MakeScalar(value), false, nullptr}; }

// Writes down what receivers are told.
class Log {
 public:
  Rendezvous::Receiver Receiver(const std::string& name) {
    return [this, name](const Rendezvous::Outcome& outcome) {
      std::string what = outcome.is_closed ? "closed" : std::string(CodeName(outcome.status.code()));
      if (outcome.status.ok() && !outcome.is_closed) {
        what =
            outcome.message.is_dead ? "dead" : std::to_string(static_cast<int>(outcome.message.value.scalar<float>()));
      }
      lines_.push_back(name + "=" + what);
    };
  }
  std::vector<std::string> lines_;
};
using Lines = std::vector<std::string>;

// W31: whoever comes first waits for the other; several on one key keep their order.
TEST(Rendezvous, SendAndRecvMatchInAnyOrder) {
  LocalRendezvous rendezvous(1);
  Log log;
  ASSERT_TRUE(rendezvous.Send("k", Number(1)).ok());
  ASSERT_TRUE(rendezvous.Send("k", {{}, true, nullptr}).ok());
  for (const char* name : {"a", "b", "c", "d"}) rendezvous.Receive("k", name, false, log.Receiver(name));
  rendezvous.Receive("other", "e", false, log.Receiver("e"));
  ASSERT_TRUE(rendezvous.Send("k", Number(3)).ok());
  ASSERT_TRUE(rendezvous.Send("k", Number(4)).ok());
  EXPECT_EQ(log.lines_, (Lines{"a=1", "b=dead", "c=3", "d=4"}));
}

// W32: those who wait and those who come later get the first status, and what was sent is gone.
TEST(Rendezvous, AnAbortReachesEverybody) {
  LocalRendezvous rendezvous(1);
  Log log;
  rendezvous.Receive("k", "a", false, log.Receiver("a"));
  ASSERT_TRUE(rendezvous.Send("sent", Number(1)).ok());
  rendezvous.Abort(Status(Code::kAborted, "first"));
  rendezvous.Abort(Status(Code::kInternal, "second"));
  rendezvous.Receive("sent", "b", true, log.Receiver("b"));
  EXPECT_EQ(rendezvous.Send("k", Number(2)).code(), Code::kAborted);
  EXPECT_EQ(log.lines_, (Lines{"a=ABORTED", "b=ABORTED"}));
}

TEST(Rendezvous, WhoWithdrawsIsNotCalled) {
  LocalRendezvous rendezvous(1);
  Log log;
  rendezvous.Receive("k", "a", false, log.Receiver("a"));
  rendezvous.Receive("k", "b", false, log.Receiver("b"));
  EXPECT_TRUE(rendezvous.Withdraw("k", "a"));
  EXPECT_FALSE(rendezvous.Withdraw("k", "c"));
  ASSERT_TRUE(rendezvous.Send("k", Number(1)).ok());
  EXPECT_FALSE(rendezvous.Withdraw("k", "b"));
  EXPECT_EQ(log.lines_, Lines{"b=1"});
}

// X8: when all that is left are receivers that may go empty-handed, they do; the others wait on.
TEST(Rendezvous, ClosesWhenNobodyIsLeftWhoCouldSend) {
  LocalRendezvous rendezvous(2);
  Log log;
  rendezvous.BeginWork(1);  // a Recv begins, and waits
  rendezvous.Receive("k", "a", true, log.Receiver("a"));
  rendezvous.EndWork(1);  // the first partition is idle
  EXPECT_TRUE(log.lines_.empty());
  rendezvous.EndWork(1);  // the second one is
  EXPECT_EQ(log.lines_, Lines{"a=closed"});
  rendezvous.BeginWork(1);  // a Recv of the user's own waits for somebody who may come yet
  rendezvous.Receive("k", "b", false, log.Receiver("b"));
  rendezvous.EndWork(1);  // what became of a
  EXPECT_EQ(log.lines_.size(), 1u);
}

// W30: both sides name an iteration alike, and no two iterations alike.
TEST(Rendezvous, KeysTellIterationsApart) {
  const FrameIteration root, first{&root, "f", 0}, second{&root, "f", 1}, other{&root, "g", 0};
  const FrameIteration inner{&first, "h", 0}, later{&second, "h", 0};
  EXPECT_EQ(RendezvousKey("c", root), "c;0:0");
  EXPECT_EQ(FrameIdOf(first), FrameIdOf(second));
  const std::vector<const FrameIteration*> places = {&root, &first, &second, &other, &inner, &later};
  for (const auto* a : places) {
    for (const auto* b : places) EXPECT_EQ(RendezvousKey("c", *a) == RendezvousKey("c", *b), a == b);
  }
}

}  // namespace
}  // namespace plumb::fast
