// Colours of pixels: the steps that ops on hue and saturation share, and what they make of a pixel. See README.md.

template <class T>
using Rgb = std::array<T, 3>;

// NaN wins.
template <class T>
PLUMB_INLINE T Larger(T a, T b) {
  return a >= b || a != a ? a : b;
}
template <class T>
PLUMB_INLINE T Smaller(T a, T b) {
  return a <= b || a != a ? a : b;
}
template <class T>
PLUMB_INLINE T Largest(const Rgb<T>& p) {
  return Larger(Larger(p[0], p[1]), p[2]);
}
template <class T>
PLUMB_INLINE T Smallest(const Rgb<T>& p) {
  return Smaller(Smaller(p[0], p[1]), p[2]);
}

// Where the hue is on the colour circle of six parts: red at 0, green at 2, blue at 4; 0 for grey.
template <class T>
PLUMB_INLINE T CirclePlace(const Rgb<T>& p, T largest, T range) {
  if (!(range > 0)) return 0;
  if (p[0] == largest) return (p[1] - p[2]) / range;
  if (p[1] == largest) return (p[2] - p[0]) / range + 2;
  return (p[0] - p[1]) / range + 4;
}

template <class T>
PLUMB_INLINE T FromZeroToOne(T x) {
  return Smaller(Larger(x, T(0)), T(1));
}

// How much of the range each channel has at a place on the circle, from 0 to 1.
template <class T>
PLUMB_INLINE Rgb<T> SharesAt(T place) {
  return {FromZeroToOne(std::fabs(place - 3) - 1), FromZeroToOne(2 - std::fabs(place - 2)),
          FromZeroToOne(2 - std::fabs(place - 4))};
}

// Which channels are the largest, the middle one and the smallest, and in which of the six parts of the circle the hue
// lies. NaN is neither less nor greater than another channel.
struct ChannelOrder {
  size_t largest = 0, middle = 1, smallest = 2;
  int part = 0;
};

PLUMB_INLINE ChannelOrder OrderOf(const Rgb<float>& p) {
  if (p[0] < p[1]) {
    if (p[2] < p[0]) return {1, 0, 2, 1};
    if (p[2] > p[1]) return {2, 1, 0, 3};
    return {1, 2, 0, 2};
  }
  if (p[2] < p[1]) return {0, 1, 2, 0};
  if (p[2] > p[0]) return {2, 0, 1, 4};
  return {0, 2, 1, 5};
}

// The order of the channels in a part of the circle.
PLUMB_INLINE ChannelOrder OrderIn(int part) {
  switch (part) {
    case 0:
      return {0, 1, 2, 0};
    case 1:
      return {1, 0, 2, 1};
    case 2:
      return {1, 2, 0, 2};
    case 3:
      return {2, 1, 0, 3};
    case 4:
      return {2, 0, 1, 4};
    default:
      return {0, 2, 1, 5};
  }
}

// The largest and the smallest channel change places as they are, so that they may be infinite; a hue that is no number
// is in the last part.
struct MoveHue {
  static constexpr const char* kAmount = "delta";
  static PLUMB_INLINE Rgb<float> Of(const Rgb<float>& p, float delta) {
    const ChannelOrder from = OrderOf(p);
    const float largest = p[from.largest], smallest = p[from.smallest], range = largest - smallest;
    float place = 0;
    if (!(largest == smallest)) {
      const float share = (p[from.middle] - smallest) / range;
      place = static_cast<float>(from.part) + (from.part % 2 == 0 ? share : 1 - share);
    }
    place += delta * 6;
    place -= 6 * std::floor(place / 6);
    const int part = place >= 0 && place < 6 ? static_cast<int>(place) : 5;
    const float along = place - static_cast<float>(part), share = part % 2 == 0 ? along : 1 - along;
    const ChannelOrder to = OrderIn(part);
    Rgb<float> moved;
    moved[to.largest] = largest;
    moved[to.middle] = smallest + share * range;
    moved[to.smallest] = smallest;
    return moved;
  }
};

struct ScaleSaturation {
  static constexpr const char* kAmount = "scale";
  static PLUMB_INLINE Rgb<float> Of(const Rgb<float>& p, float scale) {
    const float value = Largest(p), range = value - Smallest(p);
    const float scaled_one = (value > 0 ? range / value : 0) * scale;
    const float saturation = scaled_one > 0 ? Smaller(scaled_one, 1.0f) : 0;  // none where it is no number
    float place = CirclePlace(p, value, range);
    if (place < 0) place += 6;
    const float chroma = saturation * value;
    Rgb<float> scaled = SharesAt(place);
    for (float& channel : scaled) channel = (value - chroma) + chroma * channel;
    return scaled;
  }
};

struct ToHsv {
  template <class T>
  static PLUMB_INLINE Rgb<T> Of(const Rgb<T>& p) {
    const T value = Largest(p), range = value - Smallest(p);
    T hue = CirclePlace(p, value, range) * T(1.0 / 6);
    if (hue < 0) hue += 1;
    return {hue, value > 0 ? range / value : T(0), value};
  }
};

struct ToRgb {
  template <class T>
  static PLUMB_INLINE Rgb<T> Of(const Rgb<T>& p) {
    Rgb<T> rgb = SharesAt(p[0] * 6);
    for (T& channel : rgb) channel = (1 - p[1] + p[1] * channel) * p[2];
    return rgb;
  }
};
