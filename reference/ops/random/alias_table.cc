#include "reference/ops/random/alias_table.h"

#include "reference/ops/lib/random_stream.h"

namespace plumb::reference {

AliasTable::AliasTable(const std::vector<float>& weights) : other_(weights.size(), -1) {
  const auto count = static_cast<float>(weights.size());
  double sum = 0;
  for (const float weight : weights) sum += weight;
  std::vector<double> shares;
  std::vector<size_t> low, high;
  for (size_t i = 0; i < weights.size(); ++i) {
    shares.push_back(static_cast<double>(weights[i] * count) / sum);
    (shares[i] < 1 ? low : high).push_back(i);
  }
  while (!low.empty() && !high.empty()) {
    const size_t poor = low.back(), rich = high.back();
    low.pop_back();
    high.pop_back();
    other_[poor] = static_cast<int64_t>(rich);
    shares[rich] -= 1 - shares[poor];
    (shares[rich] < 1 ? low : high).push_back(rich);
  }
  for (const double share : shares) probability_.push_back(static_cast<float>(share));
  for (const auto& left : {low, high}) {  // what rounding leaves over is 1
    for (const size_t i : left) {
      probability_[i] = 1;
      other_[i] = static_cast<int64_t>(i);
    }
  }
}

int64_t AliasTable::Draw(PhiloxWords& words) const {
  const float chance = UniformFloat(words.Next());
  const uint32_t bucket = UniformBelow(words, static_cast<uint32_t>(other_.size()));
  return chance < probability_[bucket] ? bucket : other_[bucket];
}

}  // namespace plumb::reference
