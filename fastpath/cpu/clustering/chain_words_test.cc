#include "fastpath/cpu/clustering/chain_words.h"

#include <gtest/gtest.h>

namespace plumb::fast::cpu {
namespace {

TEST(ChainWords, AreThoseOfTheGenerator) {
  Philox generator(uint64_t{7} << 40 | 9, 3);
  generator.Skip((uint64_t{1} << 32) - 5);
  PhiloxWords expected(generator);
  for (int piece = 0; piece < 3; ++piece) {
    ChainWords words;
    TakeWords(generator, words);
    for (const uint32_t word : words) ASSERT_EQ(word, expected.Next()) << piece;
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
