// Expansions in which words of special functions are written, over a number N: a double, or a vector of them.
// PLUMB_INLINE is the device's. Words write PLUMB_EXPANSION(narrow, low, high, terms, x), which is ChebyshevOn, or what
// the device knows to be as good for a result of float32, which `narrow` of the terms are enough for.

// Σ terms[k] Tₖ(t) for t from −1 to 1, by Clenshaw's recurrence.
template <class N, int n>
PLUMB_INLINE N Chebyshev(const double (&terms)[n], N t) {
  const N twice = t + t;
  N sum = 0, after = 0;
  for (int k = n - 1; k > 0; --k) {
    const N next = MulAddOf(twice, sum, N(terms[k]) - after);
    after = sum;
    sum = next;
  }
  return MulAddOf(t, sum, N(terms[0]) - after);
}

// The place of an x from `low` to `high` between −1 and 1.
template <class N>
PLUMB_INLINE N PlaceOn(double low, double high, N x) {
  return MulAddOf(x, N(2 / (high - low)), N(-(low + high) / (high - low)));
}

template <class N, int n>
PLUMB_INLINE N ChebyshevOn(double low, double high, const double (&terms)[n], N x) {
  return Chebyshev(terms, PlaceOn(low, high, x));
}

// Σ terms[k] xᵏ, by Horner's rule.
template <class N, int n>
PLUMB_INLINE N Polynomial(const double (&terms)[n], N x) {
  N sum = terms[n - 1];
  for (int k = n - 2; k >= 0; --k) sum = MulAddOf(sum, x, N(terms[k]));
  return sum;
}
