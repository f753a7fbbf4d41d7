#include "fastpath/cpu/rnn/lstm_loops.h"

#include "fastpath/cpu/lib/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/rnn/lstm_loops.cc"
#include "hwy/foreach_target.h"
//
#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

#define PLUMB_INLINE HWY_INLINE
#include "fastpath/formulas/rnn/gates-inl.h"
#undef PLUMB_INLINE

void Gate(const float* x, const float* bias, float shift, const float* state, const float* peephole, float* y,
          int64_t n) {
  const hn::ScalableTag<float> d;
  const auto shifts = hn::Set(d, shift);
  MapVectors(y, n, [=](auto load) HWY_ATTR {
    auto sum = hn::Add(hn::Add(load(x), load(bias)), shifts);
    if (peephole != nullptr) sum = hn::Add(sum, hn::Mul(load(state), load(peephole)));
    return GateOf(sum);
  });
}

void Input(const float* x, const float* bias, float* y, int64_t n) {
  MapVectors(y, n, [=](auto load) HWY_ATTR { return TanhOf(hn::Add(load(x), load(bias))); });
}

void State(const float* i, const float* ci, const float* f, const float* cs_prev, float clip, float* cs, int64_t n) {
  const hn::ScalableTag<float> d;
  const auto high = hn::Set(d, clip), low = hn::Neg(high);
  MapVectors(cs, n, [=](auto load) HWY_ATTR {
    const auto x = LstmState(load(i), load(ci), load(f), load(cs_prev));
    return clip > 0 ? CutTo(x, low, high) : x;
  });
}

void Output(const float* cs, float* co, int64_t n) {
  MapVectors(co, n, [=](auto load) HWY_ATTR { return TanhOf(load(cs)); });
}

void Product(const float* a, const float* b, float* y, int64_t n) {
  MapVectors(y, n, [=](auto load) HWY_ATTR { return hn::Mul(load(a), load(b)); });
}

void Mixture(const float* u, const float* a, const float* b, float* y, int64_t n) {
  MapVectors(y, n, [=](auto load) HWY_ATTR { return MixtureOf(load(u), load(a), load(b)); });
}

void Back(const LstmBackRow& r, int64_t n) {
  const bool peephole = r.wco != nullptr;
  MapVectors(r.dout, n, [=](auto load) HWY_ATTR { return GateBack(load(r.o), load(r.dh), load(r.co)); });
  // The gradient of the cell state, until those that need it are there.
  float* const d = r.cs_prev_grad;
  MapVectors(d, n, [=](auto load) HWY_ATTR {
    auto x = LstmStateBack(load(r.o), load(r.co), load(r.dh), load(r.dcs));
    if (peephole) x = hn::Add(x, hn::Mul(load(r.dout), load(r.wco)));
    return x;
  });
  MapVectors(r.dci, n, [=](auto load) HWY_ATTR { return CandidateBack(load(r.ci), load(d), load(r.i)); });
  MapVectors(r.df, n, [=](auto load) HWY_ATTR { return GateBack(load(r.f), load(d), load(r.cs_prev)); });
  MapVectors(r.di, n, [=](auto load) HWY_ATTR { return GateBack(load(r.i), load(d), load(r.ci)); });
  MapVectors(d, n, [=](auto load) HWY_ATTR {
    auto x = hn::Mul(load(d), load(r.f));
    if (!peephole) return x;
    x = hn::Add(x, hn::Mul(load(r.di), load(r.wci)));
    return hn::Add(x, hn::Mul(load(r.df), load(r.wcf)));
  });
}

}  // namespace

LstmLoops LoopsOfLstm() { return {Gate, Input, State, Output, Product, Mixture}; }
LstmBackLoop BackLoopOfLstm() { return Back; }

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(LoopsOfLstm);
HWY_EXPORT(BackLoopOfLstm);

LstmLoops FindLstmLoops() { return HWY_DYNAMIC_DISPATCH(LoopsOfLstm)(); }
LstmBackLoop FindLstmBackLoop() { return HWY_DYNAMIC_DISPATCH(BackLoopOfLstm)(); }

}  // namespace plumb::fast::cpu
#endif
