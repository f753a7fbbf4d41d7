// Normally distributed numbers within bounds by rejection, each step rounded to T (R86). PLUMB_INLINE is the device's,
// RoundedToHalf a float16 nearest to a number, as a float; box_muller-inl.h comes first.

// Arithmetic of T in a wider type.
template <class T>
struct Steps {
  using Number = std::conditional_t<std::is_same_v<T, double>, double, float>;
  static constexpr int kPerBlock = std::is_same_v<T, double> ? 2 : 4;

  PLUMB_INLINE static Number Step(Number x) {
    if constexpr (std::is_same_v<T, Half>) {
      return RoundedToHalf(x);
    } else {
      return x;
    }
  }
  PLUMB_INLINE static void Uniforms(const Philox::Block& words, Number* out) {
    if constexpr (kPerBlock == 2) {
      out[0] = UniformDouble(words[0], words[1]);
      out[1] = UniformDouble(words[2], words[3]);
    } else if constexpr (std::is_same_v<T, Half>) {
      for (int i = 0; i < 4; ++i) out[i] = static_cast<float>(words[i] & 0x3ff) * 0x1p-10F;
    } else {
      for (int i = 0; i < 4; ++i) out[i] = UniformFloat(words[i]);
    }
  }
  PLUMB_INLINE static void Normals(const Philox::Block& words, Number* out) {
    if constexpr (kPerBlock == 2) {
      BoxMuller(UniformDouble(words[0], words[1]), UniformDouble(words[2], words[3]), out);
    } else {
      for (int i = 0; i < 4; i += 2) BoxMuller(UniformFloat(words[i]), UniformFloat(words[i + 1]), out + i);
      for (int i = 0; i < 4; ++i) out[i] = Step(out[i]);
    }
  }
};

// The samples of one batch, which go to out[0 … count), as Steps<T>::Number.
template <class T, class Out>
class BoundedBatch : Steps<T> {
 public:
  using typename Steps<T>::Number;
  using Steps<T>::Step;
  using Steps<T>::kPerBlock;

  PLUMB_INLINE BoundedBatch(Philox& generator, const Out& out, int64_t count)
      : generator_(generator), out_(out), count_(count) {}

  PLUMB_INLINE BoundedEnd Fill(Number mean, Number deviation, Number min, Number max) {
    constexpr Number kInfinity = std::numeric_limits<Number>::infinity();
    const bool is_bounded = (min > -kInfinity && min < kInfinity) || (max > -kInfinity && max < kInfinity);
    if (!(deviation > 0 && min < max && is_bounded)) return BoundedEnd::kNoBounds;
    const bool mirrors = max < mean || min == -kInfinity;
    mean_ = mean;
    deviation_ = mirrors ? -deviation : deviation;
    low_ = Step(Step((mirrors ? max : min) - mean) / deviation_);
    high_ = Step(Step((mirrors ? min : max) - mean) / deviation_);
    const Number root = Step(std::sqrt(Step(Step(low_ * low_) + 4)));
    const Number exponent = Step(Number(0.5) + Step(Step(low_ * Step(low_ - root)) / 4));
    const Number cutoff = Step(Step(2 * Step(std::exp(exponent))) / Step(low_ + root)), width = Step(high_ - low_);
    const Number enough = Step(Number(1.3));
    if ((low_ < -enough && high_ >= 0) || (high_ > enough && low_ <= 0)) {
      while (GoesOn()) FromNormals();
    } else if (width < cutoff) {
      while (GoesOn()) FromUniforms(width);
    } else {
      while (GoesOn()) FromExponentials(Step(Step(low_ + root) / 2));
    }
    return kept_ < count_ ? BoundedEnd::kRefused : BoundedEnd::kDone;
  }

 private:
  PLUMB_INLINE bool GoesOn() const { return kept_ < count_ && refused_ < most_; }

  PLUMB_INLINE void FromNormals() {
    Number z[kPerBlock];
    this->Normals(generator_.Next(), z);
    most_ = kMostRefusals + 1;
    for (int i = 0; i < kPerBlock && GoesOn(); ++i) Take(z[i], z[i] >= low_ && z[i] <= high_);
  }

  PLUMB_INLINE void FromUniforms(Number width) {
    Number at[kPerBlock], chance[kPerBlock];
    this->Uniforms(generator_.Next(), at);
    this->Uniforms(generator_.Next(), chance);
    const Number highest = low_ < 0 ? 0 : Step(low_ * low_);
    for (int i = 0; i < kPerBlock && GoesOn(); ++i) {
      const Number z = Step(Step(at[i] * width) + low_);
      Take(z, chance[i] <= Step(std::exp(Step(Step(highest - Step(z * z)) / 2))));
    }
  }

  PLUMB_INLINE void FromExponentials(Number rate) {
    Number uniform[kPerBlock];
    this->Uniforms(generator_.Next(), uniform);
    for (int i = 0; i < kPerBlock && GoesOn(); i += 2) {
      const Number z = Step(Step(-Step(std::log(uniform[i])) / rate) + low_);
      const Number x = Step(low_ < rate ? rate - z : low_ - rate);
      Take(z, z < high_ && uniform[i + 1] <= Step(std::exp(Step(-Step(x * x) / 2))));
    }
  }

  PLUMB_INLINE void Take(Number z, bool is_accepted) {
    if (is_accepted) out_(kept_++, Step(z * deviation_) + mean_);
    refused_ = is_accepted ? 0 : refused_ + 1;
  }

  Philox& generator_;
  const Out& out_;
  const int64_t count_;
  Number mean_ = 0, deviation_ = 1, low_ = 0, high_ = 0;
  int64_t kept_ = 0;
  int refused_ = 0, most_ = kMostRefusals;
};
