#include "spec/samples/sample.h"

#include <algorithm>
#include <cmath>

#include "spec/samples/case_sampler.h"

namespace plumb {
namespace {

// `count` sizes whose product is about `volume`: its logarithm is cut at random, or one size takes nearly all of it.
std::vector<int64_t> LargeSizes(size_t count, int64_t volume, bool single, SampleRandom& random) {
  constexpr int64_t kEven = 4, kMostWeight = 64;
  std::vector<double> weights(count);
  const bool is_even = random.Chance(kEven);
  const size_t heavy = single ? static_cast<size_t>(random.Below(static_cast<int64_t>(count))) : count;
  double sum = 0;
  for (double& weight : weights) weight = is_even || single ? 1 : static_cast<double>(1 + random.Below(kMostWeight));
  if (single) weights[heavy] = kMostWeight;
  for (const double weight : weights) sum += weight;
  std::vector<int64_t> sizes;
  for (const double weight : weights) {
    const auto size = static_cast<int64_t>(std::pow(static_cast<double>(volume), weight / sum));
    sizes.push_back(std::clamp<int64_t>(size + random.Below(4), 1, kLargestSize));
  }
  return sizes;
}

int64_t MostElements(const SampledCase& sampled) {
  int64_t most = 0;
  for (const Tensor& input : sampled.inputs) most = std::max(most, input.IsSet() ? input.elements() : 0);
  return most;
}

// What the sizes that an alternative fixes multiply the free ones by, at most: 30 for an input [n 6 5 C].
int64_t FixedVolume(const SampleAlternative& alternative) {
  int64_t most = 1;
  for (const SampleInput& input : alternative.tried.inputs) {
    const auto* const random = std::get_if<RandomInput>(&input.value);
    if (random == nullptr) continue;
    int64_t fixed = 1;
    for (const DimPattern& dim : random->shape.dims) {
      if (dim.kind == DimPattern::Kind::kSize) fixed *= std::max<int64_t>(1, dim.size);
    }
    most = std::max(most, fixed);
  }
  return most;
}

// Large cases are approached from here in steps, for sizes that the sample itself fixes multiply the volume.
constexpr int64_t kFirstVolume = 1 << 11;
constexpr int64_t kMostElements = 1 << 19;  // of an input

// Every alternative with each of the names chosen that the flavour can choose.
std::vector<SampledCase> OfEachName(const OpDef& op, const AttrMap& types, uint64_t seed, Flavour flavour) {
  std::vector<SampledCase> cases;
  SampleRandom seeds(seed);
  for (const SampleAlternative& alternative : ParseSample(op)) {
    for (int name = 0;; ++name) {
      auto drawn = CaseSampler(op, alternative, flavour, seeds.Next(), name).Draw(types);
      if (!drawn) break;
      drawn->label += Str(", name ", name);
      cases.push_back(std::move(*drawn));
    }
  }
  return cases;
}

}  // namespace

bool CanSample(const OpDef& op) { return !ParseSample(op).empty(); }

std::vector<SampledCase> SampleInputs(const OpDef& op, const AttrMap& types, uint64_t seed) {
  std::vector<SampledCase> cases;
  SampleRandom seeds(seed);
  for (const SampleAlternative& alternative : ParseSample(op)) {
    for (const Flavour flavour : {Flavour::kOrdinary, Flavour::kSpecial, Flavour::kEmpty}) {
      if (auto drawn = CaseSampler(op, alternative, flavour, seeds.Next()).Draw(types)) {
        cases.push_back(std::move(*drawn));
      }
    }
  }
  return cases;
}

std::vector<SampledCase> SampleEmptyInputs(const OpDef& op, const AttrMap& types, uint64_t seed) {
  return OfEachName(op, types, seed, Flavour::kEmpty);
}

std::vector<SampledCase> SampleLongInputs(const OpDef& op, const AttrMap& types, uint64_t seed) {
  return OfEachName(op, types, seed, Flavour::kLong);
}

std::vector<SampledCase> SampleLargeInputs(const OpDef& op, const AttrMap& types, uint64_t seed, int64_t volume,
                                           bool single) {
  std::vector<SampledCase> cases;
  SampleRandom seeds(seed);
  for (const SampleAlternative& alternative : ParseSample(op)) {
    const uint64_t drawn = seeds.Next();
    CaseSampler counting(op, alternative, Flavour::kLarge, drawn);
    if (!counting.Draw(types) || counting.names_drawn() == 0) continue;
    std::optional<SampledCase> largest;
    const int64_t free = volume / FixedVolume(alternative);
    for (int64_t part = std::min(free, kFirstVolume); part <= free; part *= 4) {
      SampleRandom random(drawn);
      CaseSampler large(op, alternative, Flavour::kLarge, drawn);
      large.GiveSizes(LargeSizes(counting.names_drawn(), part, single, random));
      auto sampled = large.Draw(types);
      if (!sampled || MostElements(*sampled) > kMostElements) break;
      largest = std::move(sampled);
    }
    if (largest) cases.push_back(std::move(*largest));
  }
  return cases;
}

}  // namespace plumb
