// Normally distributed numbers within bounds by rejection, bit for bit TensorFlow's on one thread (R86).
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/random.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/random/box_muller.h"

namespace plumb::fast::cpu {
namespace {

constexpr int kMostRefusals = 1000;
constexpr int64_t kSamplesPerBatch = 100;  // where all samples have the same parameters

// Arithmetic of T in a wider type: each step is rounded to what T holds.
template <class T>
struct Steps {
  using Number = std::conditional_t<std::is_same_v<T, double>, double, float>;
  static constexpr int kPerBlock = std::is_same_v<T, double> ? 2 : 4;

  static Number Step(Number x) {
    if constexpr (std::is_same_v<T, Half>) {
      return static_cast<float>(Half(x));
    } else {
      return x;
    }
  }
  static void Uniforms(const Philox::Block& words, Number* out) {
    if constexpr (kPerBlock == 2) {
      out[0] = UniformDouble(words[0], words[1]);
      out[1] = UniformDouble(words[2], words[3]);
    } else if constexpr (std::is_same_v<T, Half>) {
      for (int i = 0; i < 4; ++i) out[i] = static_cast<float>(words[i] & 0x3ff) * 0x1p-10F;
    } else {
      for (int i = 0; i < 4; ++i) out[i] = UniformFloat(words[i]);
    }
  }
  static void Normals(const Philox::Block& words, Number* out) {
    if constexpr (kPerBlock == 2) {
      BoxMuller(UniformDouble(words[0], words[1]), UniformDouble(words[2], words[3]), out);
    } else {
      for (int i = 0; i < 4; i += 2) BoxMuller(UniformFloat(words[i]), UniformFloat(words[i + 1]), out + i);
      for (int i = 0; i < 4; ++i) out[i] = Step(out[i]);
    }
  }
};

// The samples of one batch.
template <class T>
class Batch : Steps<T> {
 public:
  using typename Steps<T>::Number;
  using Steps<T>::Step;
  using Steps<T>::kPerBlock;

  Batch(const std::string& node, Philox& generator, T* out, T* end)
      : node_(node), generator_(generator), out_(out), end_(end) {}

  void Fill(Number mean, Number deviation, Number min, Number max) {
    Require(deviation > 0 && min < max && (std::isfinite(min) || std::isfinite(max)), "node ", node_,
            ": the deviation ", deviation, " must be positive, and of ", min, " < ", max, " one must be finite");
    mean_ = mean;
    deviation_ = deviation;
    if (max < mean || (std::isinf(min) && min < 0)) {
      std::swap(min, max);
      deviation_ = -deviation;
    }
    low_ = Step(Step(min - mean) / deviation_);
    high_ = Step(Step(max - mean) / deviation_);
    const Number root = Step(std::sqrt(Step(Step(low_ * low_) + 4)));
    const Number exponent = Step(Number(0.5) + Step(Step(low_ * Step(low_ - root)) / 4));
    const Number cutoff = Step(Step(2 * Step(std::exp(exponent))) / Step(low_ + root)), width = Step(high_ - low_);
    const Number enough = Step(Number(1.3));
    if ((low_ < -enough && high_ >= 0) || (high_ > enough && low_ <= 0)) {
      while (out_ < end_) FromNormals();
    } else if (width < cutoff) {
      while (out_ < end_) FromUniforms(width);
    } else {
      while (out_ < end_) FromExponentials(Step(Step(low_ + root) / 2));
    }
  }

 private:
  void FromNormals() {
    Number z[kPerBlock];
    this->Normals(generator_.Next(), z);
    for (int i = 0; i < kPerBlock && out_ < end_; ++i) {
      if (z[i] >= low_ && z[i] <= high_) {
        Keep(z[i]);
      } else {
        Refuse(kMostRefusals + 1);
      }
    }
  }

  void FromUniforms(Number width) {
    Number at[kPerBlock], chance[kPerBlock];
    this->Uniforms(generator_.Next(), at);
    this->Uniforms(generator_.Next(), chance);
    const Number highest = low_ < 0 ? 0 : Step(low_ * low_);
    for (int i = 0; i < kPerBlock && out_ < end_; ++i) {
      const Number z = Step(Step(at[i] * width) + low_);
      if (chance[i] <= Step(std::exp(Step(Step(highest - Step(z * z)) / 2)))) {
        Keep(z);
      } else {
        Refuse(kMostRefusals);
      }
    }
  }

  void FromExponentials(Number rate) {
    Number uniform[kPerBlock];
    this->Uniforms(generator_.Next(), uniform);
    for (int i = 0; i < kPerBlock && out_ < end_; i += 2) {
      const Number z = Step(Step(-Step(std::log(uniform[i])) / rate) + low_);
      const Number x = Step(low_ < rate ? rate - z : low_ - rate);
      if (z < high_ && uniform[i + 1] <= Step(std::exp(Step(-Step(x * x) / 2)))) {
        Keep(z);
      } else {
        Refuse(kMostRefusals);
      }
    }
  }

  void Keep(Number z) {
    *out_++ = T(Step(z * deviation_) + mean_);
    refused_ = 0;
  }
  void Refuse(int most) {
    if (++refused_ < most) return;
    throw Internal("node ", node_, ": no sample between ", low_, " and ", high_, " deviations was accepted in ", most,
                   " tries");
  }

  const std::string& node_;
  Philox& generator_;
  T* out_;
  T* const end_;
  Number mean_ = 0, deviation_ = 1, low_ = 0, high_ = 0;
  int refused_ = 0;
};

template <class T>
class BoundedNormalKernel final : public RandomKernel {
 public:
  using RandomKernel::RandomKernel;

  void Run(KernelContext& context) override {
    const Shape shape = ShapeIn(node_, context.input(0));
    Require(shape.rank() > 0, "node ", node_, ": the shape of the result must have a dimension");
    int64_t batches = shape[0], samples = batches == 0 ? 0 : shape.elements() / batches;
    if (AreShared(context, batches)) {
      samples = kSamplesPerBatch;
      batches = (shape.elements() + samples - 1) / samples;
    }
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, shape);
    Philox generator = stream_.Reserve(static_cast<uint64_t>(batches * 2 * kMostRefusals * (samples + 3) / 4));
    const auto parameter = [&](int i, int64_t batch) {
      const Tensor& from = context.input(i);
      return static_cast<typename Steps<T>::Number>(from.data<T>()[from.elements() == 1 ? 0 : batch]);
    };
    T* const out = output.mutable_data<T>().data();
    T* const end = out + output.elements();
    for (int64_t b = 0; b < batches && out + b * samples < end; ++b) {
      T* const first = out + b * samples;
      Batch<T> batch(node_, generator, first, std::min(end, first + samples));
      batch.Fill(parameter(1, b), parameter(2, b), parameter(3, b), parameter(4, b));
    }
  }

 private:
  // Whether all rows have the same parameters, said in the way that lets TensorFlow cut batches as it likes.
  bool AreShared(const KernelContext& context, int64_t rows) const {
    bool shared = true;
    for (int i = 1; i < 5; ++i) {
      const Tensor& parameter = context.input(i);
      Require(parameter.rank() <= 1, "node ", node_, ": parameters must be scalars or vectors, not ",
              Printed(parameter.shape()));
      shared = shared && (parameter.rank() == 0 || (i < 3 && parameter.elements() == 1));
    }
    for (int i = 1; i < 5 && !shared; ++i) {
      const Tensor& parameter = context.input(i);
      Require(parameter.elements() == 1 || parameter.elements() == rows, "node ", node_,
              ": a parameter must have one number, or one for each of ", rows, " rows, not the shape ",
              Printed(parameter.shape()));
    }
    return shared;
  }
};

constexpr KernelRow kRows[] = {
    {"ParameterizedTruncatedNormal", MakeFor<BoundedNormalKernel, Types<float, double, Half>>},
};

}  // namespace

std::span<const KernelRow> RandomBoundedNormal() { return kRows; }

}  // namespace plumb::fast::cpu
