// Where a pixel of a projected image comes from, step by step in float32. See README.md.

PLUMB_INLINE float Periods(float distance, float period) {
  const float periods = distance / period;
  return std::trunc(periods < 0x1p40f ? periods : 0x1p40f);
}
PLUMB_INLINE float Reflected(float at, float length) {
  const float period = 2 * length;
  if (at < 0) {
    at = period * Periods(-at, period) + at;
    return at < -length ? at + period : -at - 1;
  }
  at -= period * Periods(at, period);
  return at >= length ? period - at - 1 : at;
}
PLUMB_INLINE float Wrapped(float at, float length) {
  const float last = length - 1;
  return at < 0 ? at + length * (Periods(-at, last) + 1) : at - length * Periods(at, last);
}
// NaN stays.
PLUMB_INLINE float Between(float least, float value, float most) {
  return value < least ? least : most < value ? most : value;
}

// A coordinate in a dimension of `size` pixels, by what stands for those outside.
PLUMB_INLINE float Mapped(float at, int64_t size, Fill fill) {
  const auto length = static_cast<float>(size), last = static_cast<float>(size - 1);
  if (fill == Fill::kConstant) return at;
  if ((at < 0 || at > last) && fill != Fill::kNearest) {
    if (size <= 1) return 0;
    at = fill == Fill::kReflect ? Reflected(at, length) : Wrapped(at, length);
  }
  return Between(0, at, last);
}

// A place as a whole number; far outside where it is none.
PLUMB_INLINE int64_t Whole(float place) {
  return place != place ? -1 : static_cast<int64_t>(Between(-0x1p40f, place, 0x1p40f));
}
// A mean of pixels as a whole number.
PLUMB_INLINE int64_t WholePixel(float mean) {
  return mean != mean ? 0 : static_cast<int64_t>(Between(-0x1p62f, mean, 0x1p62f));
}

// A row of eight numbers, and where it takes the pixel (x, y) of the result from in an image.
struct Place {
  float x = 0, y = 0;
  bool is_finite = true;  // false: nowhere
};
PLUMB_INLINE float Plane(float of_x, float of_y, float constant, float x, float y) {
  const float in_x = of_x * x, in_y = of_y * y;
  return in_x + in_y + constant;
}
template <class Row>
PLUMB_INLINE Place PlaceOf(const Row& t, int64_t row, int64_t column, int64_t height, int64_t width, Fill fill) {
  const auto x = static_cast<float>(column), y = static_cast<float>(row);
  const float depth = Plane(t[6], t[7], 1, x, y);
  if (depth == 0) return {0, 0, false};
  return {Mapped(Plane(t[0], t[1], t[2], x, y) / depth, width, fill),
          Mapped(Plane(t[3], t[4], t[5], x, y) / depth, height, fill), true};
}

PLUMB_INLINE float MeanAt(float from, float to, float a, float b, float at) {
  const float from_a = (to - at) * a, from_b = (at - from) * b;
  return from_a + from_b;
}
// Between the four pixels around a place; pixel(row, column) is one of them.
template <class Pixel>
PLUMB_INLINE float Interpolated(const Pixel& pixel, const Place& place) {
  const float top = std::floor(place.y), left = std::floor(place.x), low = top + 1, right = left + 1;
  const float upper = MeanAt(left, right, pixel(Whole(top), Whole(left)), pixel(Whole(top), Whole(right)), place.x);
  const float lower = MeanAt(left, right, pixel(Whole(low), Whole(left)), pixel(Whole(low), Whole(right)), place.x);
  return MeanAt(top, low, upper, lower, place.y);
}
