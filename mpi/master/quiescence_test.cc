// X8 over ranks: answers that were given at different moments say that a step can do no more only if that is so.
#include "mpi/master/quiescence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace plumb::dist {
namespace {

// Parts of a step as far as anybody asks: those that are not idle send values and become idle, and a value that comes
// wakes its receiver. Values of one rank to another arrive in the order in which they were sent.
class Parts {
 public:
  Parts(size_t ranks, uint32_t seed) : random_(seed), parts_(ranks), under_way_(ranks, std::vector<int>(ranks)) {
    for (Standing& part : parts_) {
      part.is_idle = random_() % 2 == 0;
      part.sent.resize(ranks);
      part.received.resize(ranks);
    }
  }

  // Something happens, if anything can.
  void Move() {
    const size_t a = Any(), b = Any();
    if (a == b) return;
    if (under_way_[a][b] > 0 && random_() % 2 == 0) {
      --under_way_[a][b];
      ++parts_[b].received[a];
      parts_[b].is_idle = false;
    } else if (!parts_[a].is_idle && random_() % 2 == 0) {
      ++under_way_[a][b];
      ++parts_[a].sent[b];
    } else {
      parts_[a].is_idle = true;
    }
  }
  bool AreOver() const {
    const auto is_nothing_for = [](const std::vector<int>& others) {
      return std::all_of(others.begin(), others.end(), [](int values) { return values == 0; });
    };
    return std::all_of(parts_.begin(), parts_.end(), [](const Standing& part) { return part.is_idle; }) &&
           std::all_of(under_way_.begin(), under_way_.end(), is_nothing_for);
  }
  // What all of them answer, one after the other, with up to `moves` moves before each answer.
  std::map<int, Standing> Answers(uint32_t moves) {
    std::vector<size_t> order(parts_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    std::map<int, Standing> answers;
    for (const size_t rank : order) {
      for (uint32_t i = random_() % (moves + 1); i > 0; --i) Move();
      answers[static_cast<int>(rank)] = parts_[rank];
    }
    return answers;
  }

 private:
  size_t Any() { return random_() % parts_.size(); }

  std::mt19937 random_;
  std::vector<Standing> parts_;
  std::vector<std::vector<int>> under_way_;  // from, to
};

TEST(Quiescence, IsThatOfAStepThatCanDoNoMore) {
  int over = 0, going_on = 0;
  for (uint32_t seed = 1; seed <= 20'000; ++seed) {
    Parts parts(2 + seed % 4, seed);
    for (uint32_t i = 0; i < seed % 30; ++i) parts.Move();
    for (int round = 0; round < 8; ++round) {
      const bool was_over = parts.AreOver();
      const bool is_quiescent = IsQuiescent(parts.Answers(6));
      ASSERT_TRUE(parts.AreOver() || !is_quiescent) << "seed " << seed << ": it goes on";
      ASSERT_TRUE(is_quiescent || !was_over) << "seed " << seed << ": it was over when the first one answered";
      ++(is_quiescent ? over : going_on);
    }
  }
  EXPECT_GT(over, 1000);
  EXPECT_GT(going_on, 1000);
}

// What a rank does not speak of, nobody knows to have arrived.
TEST(Quiescence, NeedsTheCountsOfAllRanks) {
  const Standing whole{true, false, 0, {0, 0}, {0, 0}};
  Standing short_of_one = whole;
  short_of_one.received.pop_back();
  EXPECT_TRUE(IsQuiescent({{0, whole}, {1, whole}}));
  EXPECT_FALSE(IsQuiescent({{0, short_of_one}, {1, whole}}));
}

}  // namespace
}  // namespace plumb::dist
