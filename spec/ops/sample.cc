#include "spec/ops/sample.h"

#include "spec/ops/case_sampler.h"

namespace plumb {

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

std::vector<SampledCase> SampleLongInputs(const OpDef& op, const AttrMap& types, uint64_t seed) {
  std::vector<SampledCase> cases;
  SampleRandom seeds(seed);
  for (const SampleAlternative& alternative : ParseSample(op)) {
    for (int name = 0;; ++name) {
      auto drawn = CaseSampler(op, alternative, Flavour::kLong, seeds.Next(), name).Draw(types);
      if (!drawn) break;
      cases.push_back(std::move(*drawn));
    }
  }
  return cases;
}

}  // namespace plumb
