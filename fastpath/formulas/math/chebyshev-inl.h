// A sum of Chebyshev polynomials, for the words of formulas that are expanded in them. PLUMB_INLINE is the device's.

// Σ terms[k] Tₖ(t) for t from −1 to 1, by Clenshaw's recurrence.
template <int n>
PLUMB_INLINE double Chebyshev(const double (&terms)[n], double t) {
  double sum = 0, after = 0;
  for (int k = n - 1; k > 0; --k) {
    const double next = 2 * t * sum - after + terms[k];
    after = sum;
    sum = next;
  }
  return t * sum - after + terms[0];
}

// The same of an x from `low` to `high`.
template <int n>
PLUMB_INLINE double ChebyshevOn(double low, double high, const double (&terms)[n], double x) {
  return Chebyshev(terms, (2 * x - (low + high)) / (high - low));
}
