// Gates of recurrent cells, in the words of ../README.md. PLUMB_INLINE is the device's.

// y = sigmoid(x)
template <class V>
PLUMB_INLINE V GateOf(V x) {
  const V one = Like(x, 1);
  return Div(one, Add(one, ExpOf(Neg(x))));
}
// The derivatives of sigmoid and tanh, by their results.
template <class V>
PLUMB_INLINE V SigmoidSlope(V y) {
  return Mul(y, Sub(Like(y, 1), y));
}
template <class V>
PLUMB_INLINE V TanhSlope(V y) {
  return Sub(Like(y, 1), Mul(y, y));
}

// An LSTM's cell state before it is cut: i·ci + f·cs_prev.
template <class V>
PLUMB_INLINE V LstmState(V i, V ci, V f, V cs_prev) {
  return Add(Mul(i, ci), Mul(f, cs_prev));
}
template <class V>
PLUMB_INLINE V CutTo(V x, V low, V high) {
  return IfThenElse(Lt(high, x), high, IfThenElse(Lt(x, low), low, x));
}
// Back through h = o·co to the cell state, whose own gradient is dcs.
template <class V>
PLUMB_INLINE V LstmStateBack(V o, V co, V dh, V dcs) {
  return Add(Mul(Mul(TanhSlope(co), dh), o), dcs);
}
// Back through a gate by which `other` is multiplied, and through the candidate that `gate` multiplies, to what sigmoid
// and tanh were taken of; d: the gradient of the product.
template <class V>
PLUMB_INLINE V GateBack(V gate, V d, V other) {
  return Mul(Mul(SigmoidSlope(gate), d), other);
}
template <class V>
PLUMB_INLINE V CandidateBack(V candidate, V d, V gate) {
  return Mul(Mul(TanhSlope(candidate), d), gate);
}

// A GRU's new state: u·a + (1 - u)·b.
template <class V>
PLUMB_INLINE V MixtureOf(V u, V a, V b) {
  return Add(Mul(u, a), Mul(Sub(Like(u, 1), u), b));
}
