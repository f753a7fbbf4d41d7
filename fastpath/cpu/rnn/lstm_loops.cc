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

template <class V>
HWY_INLINE V SigmoidOf(V x) {
  const V one = Like(x, 1);
  return hn::Div(one, hn::Add(one, ExpOf(hn::Neg(x))));
}
// The derivatives of sigmoid and tanh, by their results.
template <class V>
HWY_INLINE V SigmoidSlope(V y) {
  return hn::Mul(y, hn::Sub(Like(y, 1), y));
}
template <class V>
HWY_INLINE V TanhSlope(V y) {
  return hn::Sub(Like(y, 1), hn::Mul(y, y));
}

void Gate(const float* x, const float* bias, float shift, const float* state, const float* peephole, float* y,
          int64_t n) {
  const hn::ScalableTag<float> d;
  const auto shifts = hn::Set(d, shift);
  MapVectors(y, n, [=](auto load) HWY_ATTR {
    auto sum = hn::Add(hn::Add(load(x), load(bias)), shifts);
    if (peephole != nullptr) sum = hn::Add(sum, hn::Mul(load(state), load(peephole)));
    return SigmoidOf(sum);
  });
}

void Input(const float* x, const float* bias, float* y, int64_t n) {
  MapVectors(y, n, [=](auto load) HWY_ATTR { return TanhOf(hn::Add(load(x), load(bias))); });
}

void State(const float* i, const float* ci, const float* f, const float* cs_prev, float clip, float* cs, int64_t n) {
  const hn::ScalableTag<float> d;
  const auto high = hn::Set(d, clip), low = hn::Neg(high);
  MapVectors(cs, n, [=](auto load) HWY_ATTR {
    const auto x = hn::Add(hn::Mul(load(i), load(ci)), hn::Mul(load(f), load(cs_prev)));
    if (!(clip > 0)) return x;
    return hn::IfThenElse(hn::Gt(x, high), high, hn::IfThenElse(hn::Lt(x, low), low, x));
  });
}

void Output(const float* cs, float* co, int64_t n) {
  MapVectors(co, n, [=](auto load) HWY_ATTR { return TanhOf(load(cs)); });
}

void Product(const float* a, const float* b, float* y, int64_t n) {
  MapVectors(y, n, [=](auto load) HWY_ATTR { return hn::Mul(load(a), load(b)); });
}

void Mixture(const float* u, const float* a, const float* b, float* y, int64_t n) {
  MapVectors(y, n, [=](auto load) HWY_ATTR {
    const auto share = load(u);
    return hn::Add(hn::Mul(share, load(a)), hn::Mul(hn::Sub(Like(share, 1), share), load(b)));
  });
}

void Back(const LstmBackRow& r, int64_t n) {
  const bool peephole = r.wco != nullptr;
  MapVectors(r.dout, n,
             [=](auto load) HWY_ATTR { return hn::Mul(hn::Mul(SigmoidSlope(load(r.o)), load(r.dh)), load(r.co)); });
  // The gradient of the cell state, until those that need it are there.
  float* const d = r.cs_prev_grad;
  MapVectors(d, n, [=](auto load) HWY_ATTR {
    auto x = hn::Add(hn::Mul(hn::Mul(TanhSlope(load(r.co)), load(r.dh)), load(r.o)), load(r.dcs));
    if (peephole) x = hn::Add(x, hn::Mul(load(r.dout), load(r.wco)));
    return x;
  });
  MapVectors(r.dci, n, [=](auto load) HWY_ATTR { return hn::Mul(hn::Mul(TanhSlope(load(r.ci)), load(d)), load(r.i)); });
  MapVectors(r.df, n,
             [=](auto load) HWY_ATTR { return hn::Mul(hn::Mul(SigmoidSlope(load(r.f)), load(d)), load(r.cs_prev)); });
  MapVectors(r.di, n,
             [=](auto load) HWY_ATTR { return hn::Mul(hn::Mul(SigmoidSlope(load(r.i)), load(d)), load(r.ci)); });
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
