// Numbers of a 16-bit type where each word of a formula rounds to the type (N22). They lie in a V, float or a vector of
// floats; Format::Rounded is the device's.
template <class V, class Format>
struct InSteps {
  V number;
  InSteps() = default;
  PLUMB_INLINE explicit InSteps(V exact) : number(Format::Rounded(exact)) {}
};
// A number that its type holds as it is.
template <class Format, class V>
PLUMB_INLINE InSteps<V, Format> Held(V number) {
  InSteps<V, Format> held;
  held.number = number;
  return held;
}

template <class V, class F>
PLUMB_INLINE InSteps<V, F> Add(InSteps<V, F> a, InSteps<V, F> b) {
  return InSteps<V, F>(Add(a.number, b.number));
}
template <class V, class F>
PLUMB_INLINE InSteps<V, F> Sub(InSteps<V, F> a, InSteps<V, F> b) {
  return InSteps<V, F>(Sub(a.number, b.number));
}
template <class V, class F>
PLUMB_INLINE InSteps<V, F> Mul(InSteps<V, F> a, InSteps<V, F> b) {
  return InSteps<V, F>(Mul(a.number, b.number));
}
template <class V, class F>
PLUMB_INLINE InSteps<V, F> Div(InSteps<V, F> a, InSteps<V, F> b) {
  return InSteps<V, F>(Div(a.number, b.number));
}
template <class V, class F>
PLUMB_INLINE InSteps<V, F> Sqrt(InSteps<V, F> a) {
  return InSteps<V, F>(Sqrt(a.number));
}
template <class V, class F>
PLUMB_INLINE InSteps<V, F> ExpOf(InSteps<V, F> a) {
  return InSteps<V, F>(ExpOf(a.number));
}
template <class V, class F>
PLUMB_INLINE InSteps<V, F> Neg(InSteps<V, F> a) {
  return Held<F>(Neg(a.number));
}
template <class V, class F>
PLUMB_INLINE InSteps<V, F> Abs(InSteps<V, F> a) {
  return Held<F>(Abs(a.number));
}
template <class V, class F>
PLUMB_INLINE InSteps<V, F> SignOf(InSteps<V, F> a) {
  return Held<F>(SignOf(a.number));
}
template <class V, class F>
PLUMB_INLINE InSteps<V, F> Like(InSteps<V, F> a, double value) {
  return Held<F>(Like(a.number, value));
}
template <class V, class F>
PLUMB_INLINE auto Lt(InSteps<V, F> a, InSteps<V, F> b) {
  return Lt(a.number, b.number);
}
template <class Mask, class V, class F>
PLUMB_INLINE InSteps<V, F> IfThenElse(Mask mask, InSteps<V, F> a, InSteps<V, F> b) {
  return Held<F>(IfThenElse(mask, a.number, b.number));
}

// 1/√x. One that is rounded at each step is so for its root and for its inverse.
template <class V>
PLUMB_INLINE V InverseRoot(V x) {
  return Div(Like(x, 1), Sqrt(x));
}
