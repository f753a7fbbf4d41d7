// X8 on one rank: receivers are closed only where nothing has come from other ranks since their step stood idle.
#include "mpi/worker/step_rendezvous.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <set>

#include "fastpath/testing/function_receiver.h"
#include "mpi/transport/loopback.h"

namespace plumb::dist {
namespace {

class NowhereToGo : public StepOutlet {
 public:
  Status SendAway(StepName, int, const fast::RendezvousKey&, const fast::Message&) override { return OkStatus(); }
  void StepFailed(StepName, const Status&) override {}
};

// A part of a step beside what is known of it: how much it has in hand, who waits, and who was told what.
class Part {
 public:
  explicit Part(uint32_t seed) : random_(seed) {}

  void Move() {
    switch (random_() % 6) {
      case 0:
        if (in_hand_ > 0) Wait();
        return;
      case 1:
      case 2:
        if (in_hand_ > 0) EndOne();
        return;
      case 3:
        return Deliver();
      case 4:
        return Stand();
      default:
        return Close();
    }
  }
  int closed() const { return closed_; }
  int kept_open() const { return kept_open_; }

 private:
  static fast::RendezvousKey KeyOf(int number) { return {1, 0, number}; }

  void EndOne() {
    --in_hand_;
    rendezvous_.EndWork(1);
  }

  void Wait() {
    const int number = next_++;
    rendezvous_.BeginWork(1);
    waiting_.insert(number);
    rendezvous_.Receive(KeyOf(number), std::make_shared<fast::FunctionReceiver>([this, number](const auto& outcome) {
                          waiting_.erase(number);
                          ++in_hand_;  // until its kernel has answered
                          if (outcome.is_closed) ++closed_now_;
                        }),
                        /*may_close=*/true);
  }

  void Deliver() {
    if (waiting_.empty()) return;
    const int number = *std::next(waiting_.begin(), static_cast<std::ptrdiff_t>(random_() % waiting_.size()));
    rendezvous_.Deliver(1, KeyOf(number), {MakeScalar<float>(1), false, nullptr});
    EXPECT_FALSE(waiting_.contains(number));
    may_close_ = false;
  }

  void Stand() {
    const Standing standing = rendezvous_.Stand();
    EXPECT_EQ(standing.is_idle, in_hand_ == 0);
    if (!standing.is_idle) return;
    stirred_ = standing.stirred;
    may_close_ = true;
  }

  void Close() {
    if (!stirred_) return;
    const size_t waited = waiting_.size();
    closed_now_ = 0;
    rendezvous_.CloseIfUnstirred(*stirred_);
    EXPECT_EQ(closed_now_, may_close_ ? waited : 0);
    ++(may_close_ ? closed_ : kept_open_);
    may_close_ = false;  // that stirred it
  }

  std::mt19937 random_;
  const std::vector<std::unique_ptr<Transport>> ends_ = NewLoopback(2);
  NowhereToGo outlet_;
  const Routes routes_{{}, 0};
  StepRendezvous rendezvous_{{0, 1}, routes_, *ends_[0], outlet_};
  int in_hand_ = 1;  // as a step begins
  int next_ = 0;
  std::set<int> waiting_;
  std::optional<int64_t> stirred_;
  bool may_close_ = false;
  size_t closed_now_ = 0;
  int closed_ = 0, kept_open_ = 0;
};

TEST(StepRendezvous, ClosesOnlyWhatHasNotBeenStirred) {
  int closed = 0, kept_open = 0;
  for (uint32_t seed = 1; seed <= 2000; ++seed) {
    Part part(seed);
    for (int i = 0; i < 60; ++i) part.Move();
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
    closed += part.closed();
    kept_open += part.kept_open();
  }
  EXPECT_GT(closed, 1000);
  EXPECT_GT(kept_open, 1000);
}

}  // namespace
}  // namespace plumb::dist
