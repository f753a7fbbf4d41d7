#include "fastpath/cpu/clustering/chain_words.h"

#include "fastpath/cpu/lib/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/clustering/chain_words.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
void Blocks(const Philox::State& at, uint32_t* words) {
  Philox generator;
  generator.set_state(at);
  for (int64_t block = 0; block < kChainBlocks; ++block) {
    for (const uint32_t word : generator.Next()) *words++ = word;
  }
}
#else
// Each lane of 64 bits is a block; a word of it is the lower half of a lane, and what stands above it is of no account.
void Blocks(const Philox::State& at, uint32_t* words) {
  const hn::ScalableTag<uint64_t> d;
  const hn::Repartition<uint32_t, decltype(d)> halves;
  const auto first = hn::Set(halves, 0xD2511F53), third = hn::Set(halves, 0xCD9E8D57);
  const auto lower = hn::Set(d, 0xFFFFFFFF);
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const uint64_t start = at[0] | static_cast<uint64_t>(at[1]) << 32;
  for (int64_t block = 0; block < kChainBlocks; block += lanes) {
    auto c0 = hn::Add(hn::Set(d, start + static_cast<uint64_t>(block)), hn::Iota(d, 0));
    auto c1 = hn::ShiftRight<32>(c0), c2 = hn::Set(d, at[2]), c3 = hn::Set(d, at[3]);
    uint32_t k0 = at[4], k1 = at[5];
    for (int round = 0; round < 10; ++round) {
      const auto a = hn::MulEven(hn::BitCast(halves, c0), first), b = hn::MulEven(hn::BitCast(halves, c2), third);
      c0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(b), c1), hn::Set(d, k0));
      c2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(a), c3), hn::Set(d, k1));
      c1 = b;
      c3 = a;
      k0 += 0x9E3779B9;
      k1 += 0xBB67AE85;
    }
    HWY_ALIGN uint64_t front[hn::MaxLanes(d)], back[hn::MaxLanes(d)];
    hn::Store(hn::Or(hn::And(c0, lower), hn::ShiftLeft<32>(c1)), d, front);
    hn::Store(hn::Or(hn::And(c2, lower), hn::ShiftLeft<32>(c3)), d, back);
    for (int64_t lane = 0; lane < lanes; ++lane, words += 4) {
      words[0] = static_cast<uint32_t>(front[lane]);
      words[1] = static_cast<uint32_t>(front[lane] >> 32);
      words[2] = static_cast<uint32_t>(back[lane]);
      words[3] = static_cast<uint32_t>(back[lane] >> 32);
    }
  }
}
#endif

}  // namespace

auto BlocksOfChain() { return Blocks; }

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(BlocksOfChain);

void TakeWords(Philox& generator, ChainWords& words) {
  HWY_DYNAMIC_DISPATCH(BlocksOfChain)()(generator.state(), words.data());
  generator.Skip(kChainBlocks);
}

}  // namespace plumb::fast::cpu
#endif
