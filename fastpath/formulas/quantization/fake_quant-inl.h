// A range cut into whole steps, and what they make of a number. See README.md.

// Moved so that 0 is one of its places. `empty`: both ends are 0.
struct Places {
  bool empty = true;
  float scale = 0, inverse = 0, low = 0, high = 0, zero = 0;

  PLUMB_INLINE float Nearest(float x) const {
    if (empty) return 0;
    const float below = high < x ? high : x, clamped = below < low ? low : below;
    return std::floor((clamped - low) * inverse - zero + 0.5F) * scale;
  }
  PLUMB_INLINE float Inside(float x) const { return empty || (x >= low && x <= high) ? 1.0F : 0.0F; }
  PLUMB_INLINE float Below(float x) const { return !empty && x < low ? 1.0F : 0.0F; }
  PLUMB_INLINE float Above(float x) const { return !empty && x > high ? 1.0F : 0.0F; }
};

// The whole numbers that places are numbered with.
struct Steps {
  float first = 0, last = 0;
};

PLUMB_INLINE Places PlacesBetween(float min, float max, Steps steps) {
  Places places;
  if (min == 0 && max == 0) return places;
  places.empty = false;
  places.scale = (max - min) / (steps.last - steps.first);
  const float wanted = steps.first - min / places.scale;
  float zero = 0;  // of a place that is no number
  if (wanted < steps.first) {
    zero = steps.first;
  } else if (wanted > steps.last) {
    zero = steps.last;
  } else if (wanted == wanted) {
    zero = std::round(wanted);
  }
  places.low = (steps.first - zero) * places.scale;
  places.high = (steps.last - zero) * places.scale;
  places.inverse = 1 / places.scale;
  places.zero = std::floor(-places.low * places.inverse + 0.5F);
  return places;
}
