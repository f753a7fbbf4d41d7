// The cases that an op is tried with on one choice of types. Each is drawn once, however many backends are tried with
// it and however many values of attributes are put into it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "spec/samples/sample.h"

namespace plumb::conformance {

class DrawnCases {
 public:
  using Cases = std::vector<SampledCase>;

  // Of what outlives this.
  DrawnCases(const OpDef& op, const AttrMap& types) : op_(op), types_(types) {}

  // SampleInputs, SampleEmptyInputs, SampleLongInputs and SampleLargeInputs.
  std::shared_ptr<const Cases> Small(uint64_t seed);
  std::shared_ptr<const Cases> Empty(uint64_t seed);
  std::shared_ptr<const Cases> Long(uint64_t seed);
  std::shared_ptr<const Cases> Large(uint64_t seed, int64_t volume, bool single);

 private:
  enum class Kind { kSmall, kEmpty, kLong, kLarge, kSingleLarge };
  std::shared_ptr<const Cases> Of(Kind kind, uint64_t seed, int64_t volume, const std::function<Cases()>& draw);

  const OpDef& op_;
  const AttrMap& types_;
  size_t bytes_ = 0;
  std::map<std::tuple<Kind, uint64_t, int64_t>, std::shared_ptr<const Cases>> known_;
};

}  // namespace plumb::conformance
