#include "fastpath/cpu/lib/state/philox_blocks.h"

#include "fastpath/cpu/lib/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/lib/state/philox_blocks.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

// Lanes of 64 bits hold a word in their lower half; the upper one is of no account.
template <class V>
struct Words {
  V w0, w1, w2, w3;
};

template <class D>
HWY_INLINE hn::Vec<D> ProductOf(D d, hn::Vec<D> word, uint32_t factor) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, (hn::GetLane(word) & 0xffffffff) * factor);
#else
  const hn::Repartition<uint32_t, D> d32;
  return hn::MulEven(hn::BitCast(d32, word), hn::BitCast(d32, hn::Set(d, factor)));
#endif
}

// As Philox::Next, of blocks whose counters these are.
template <class D>
HWY_INLINE void Mix(D d, uint32_t key0, uint32_t key1, Words<hn::Vec<D>>& words) {
  for (int round = 0; round < 10; ++round) {
    const auto a = ProductOf(d, words.w0, 0xD2511F53), b = ProductOf(d, words.w2, 0xCD9E8D57);
    const auto w0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(b), words.w1), hn::Set(d, key0));
    const auto w2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(a), words.w3), hn::Set(d, key1));
    words.w1 = b;
    words.w3 = a;
    words.w0 = w0;
    words.w2 = w2;
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
}

// The lower halves of two lanes as one.
template <class D>
HWY_INLINE hn::Vec<D> Joined(D d, hn::Vec<D> low, hn::Vec<D> high) {
  return hn::Or(hn::And(low, hn::Set(d, 0xffffffff)), hn::ShiftLeft<32>(high));
}

// Of counters whose lower halves do not wrap around.
void BlocksOf(const Philox::State& state, uint64_t step, int64_t count, WordPairs* blocks) {
  const hn::ScalableTag<uint64_t> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const uint64_t first = state[0] | static_cast<uint64_t>(state[1]) << 32;
  HWY_ALIGN uint64_t offsets[hn::MaxLanes(d)];
  for (int64_t i = 0; i < lanes; ++i) offsets[i] = first + static_cast<uint64_t>(i) * step;
  auto counter = hn::Load(d, offsets);
  const auto more = hn::Set(d, static_cast<uint64_t>(lanes) * step);
  const auto w2 = hn::Set(d, state[2]), w3 = hn::Set(d, state[3]);
  for (int64_t i = 0; i < count; i += lanes, counter = hn::Add(counter, more)) {
    Words<hn::Vec<decltype(d)>> words = {counter, hn::ShiftRight<32>(counter), w2, w3};
    Mix(d, state[4], state[5], words);
    const auto low = Joined(d, words.w0, words.w1), high = Joined(d, words.w2, words.w3);
    if (i + lanes <= count) {
      hn::StoreInterleaved2(low, high, d, blocks[i].data());
    } else {
      HWY_ALIGN uint64_t last[2 * hn::MaxLanes(d)];
      hn::StoreInterleaved2(low, high, d, last);
      for (int64_t k = 0; i + k < count; ++k) blocks[i + k] = {last[2 * k], last[2 * k + 1]};
    }
  }
}

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(BlocksOf);

void PhiloxBlocks(const Philox& first, uint64_t step, int64_t count, WordPairs* blocks) {
  const Philox::State state = first.state();
  const uint64_t low = state[0] | static_cast<uint64_t>(state[1]) << 32;
  if (const uint64_t last = low + step * static_cast<uint64_t>(count); last >= low) {
    return HWY_DYNAMIC_DISPATCH(BlocksOf)(state, step, count, blocks);
  }
  for (int64_t i = 0; i < count; ++i) {
    Philox generator = first;
    generator.Skip(static_cast<uint64_t>(i) * step);
    blocks[i] = std::bit_cast<WordPairs>(generator.Next());
  }
}

}  // namespace plumb::fast::cpu
#endif
