#include "fastpath/accelerator/arena.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace plumb::fast {
namespace {

// What comes and goes at random never overlaps, and the same calls give the same places.
TEST(Arena, GivesPlacesThatDoNotOverlapAndAreTheSameAgain) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    Arena grows, fits;
    std::mt19937 random(seed);
    std::map<size_t, size_t> taken;  // ends, by begin
    for (int i = 0; i < 300; ++i) {
      if (!taken.empty() && random() % 2 == 0) {
        const auto gone = std::next(taken.begin(), static_cast<long>(random() % taken.size()));
        grows.GiveBack(gone->first);
        fits.GiveBack(gone->first);
        taken.erase(gone);
        continue;
      }
      const size_t bytes = random() % 5000;
      const auto place = grows.Take(bytes);
      ASSERT_TRUE(place.has_value());
      EXPECT_EQ(fits.Take(bytes), place);
      EXPECT_EQ(*place % 256, 0u);
      const auto next = taken.lower_bound(*place);
      EXPECT_TRUE(next == taken.end() || *place + bytes <= next->first);
      EXPECT_TRUE(next == taken.begin() || std::prev(next)->second <= *place);
      taken[*place] = *place + bytes;
      EXPECT_LE(*place + bytes, grows.extent());
    }
    EXPECT_EQ(grows.taken(), taken.size());
  }
}

TEST(Arena, UsesAPlaceThatWasGivenBackAndNoMoreThanItHas) {
  Arena arena(1024);
  EXPECT_EQ(arena.Take(500), 0u);
  EXPECT_EQ(arena.Take(1), 512u);
  EXPECT_EQ(arena.Take(512), std::nullopt);
  arena.GiveBack(0);
  EXPECT_EQ(arena.Take(513), std::nullopt);
  EXPECT_EQ(arena.Take(512), 0u);
  EXPECT_EQ(arena.Take(SIZE_MAX - 1000), std::nullopt);
  EXPECT_EQ(arena.extent(), 768u);
}

}  // namespace
}  // namespace plumb::fast
