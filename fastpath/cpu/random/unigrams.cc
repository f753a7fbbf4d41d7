#include "fastpath/cpu/random/unigrams.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "fastpath/cpu/lib/text_lines.h"
#include "fastpath/cpu/lib/text_number.h"
#include "spec/files/file_system.h"

namespace plumb::fast::cpu {
namespace {

// The last field of each line of comma-separated values, of which the first one that is not empty is for `id` (R81).
// What another shard's lines say is left unread and given as zero.
std::vector<float> LastFields(const std::string& path, int64_t id, int64_t shards, int64_t shard) {
  std::vector<float> fields;
  for (const std::string& line : SplitLines(Files().Read(path))) {
    if (line.empty()) continue;
    const std::string_view field = std::string_view(line).substr(line.rfind(',') + 1);
    float& value = fields.emplace_back(0);
    if (id++ % shards != shard) continue;
    Require(ReadNumber(field, value), "a line of the vocabulary file ", path, " ends with no weight: ", line);
  }
  return fields;
}

constexpr int64_t kMostReserved = int64_t{1} << 24;

}  // namespace

Unigrams::Unigrams(const Node& node) {
  const auto& path = GetAttr<std::string>(node.attrs, "vocab_file");
  std::vector<float> given = GetAttr<std::vector<float>>(node.attrs, "unigrams");
  Require(path.empty() != given.empty(), "either vocab_file or unigrams must say the weights, not both");
  const int64_t shards = GetAttr<int64_t>(node.attrs, "num_shards"), shard = GetAttr<int64_t>(node.attrs, "shard");
  const int64_t reserved = GetAttr<int64_t>(node.attrs, "num_reserved_ids");
  const auto distortion = GetAttr<float>(node.attrs, "distortion");
  Require(shard < shards, "shard ", shard, " is none of ", shards);
  Require(reserved <= kMostReserved, reserved, " reserved ids are more than ", kMostReserved);
  for (int64_t id = shard; id < reserved; id += shards) weights_.push_back(0);
  auto id = static_cast<int64_t>(weights_.size());
  if (!path.empty()) given = LastFields(path, id, shards, shard);
  for (const float weight : given) {
    if (id++ % shards != shard) continue;
    weights_.push_back(std::pow(weight, distortion));
    total_ += weights_.back();
  }
  const int64_t wanted = GetAttr<int64_t>(node.attrs, "range_max");
  Require(wanted == range(), "range_max is ", wanted, ", but there are ", range(), " weights");
  possible_ = range();
  if (total_ > 0) possible_ = std::count_if(weights_.begin(), weights_.end(), [](float weight) { return weight > 0; });
  FillBuckets();
}

void Unigrams::FillBuckets() {
  const size_t n = weights_.size();
  double sum = 0;
  for (const float weight : weights_) sum += weight;
  std::vector<double> shares(n);
  std::vector<size_t> low, high;
  buckets_.resize(n);
  for (size_t i = 0; i < n; ++i) {
    shares[i] = static_cast<double>(weights_[i] * static_cast<float>(n)) / sum;
    (shares[i] < 1 ? low : high).push_back(i);
  }
  while (!low.empty() && !high.empty()) {
    const size_t poor = low.back(), rich = high.back();
    low.pop_back();
    high.pop_back();
    buckets_[poor].other = static_cast<int64_t>(rich);
    shares[rich] -= 1 - shares[poor];
    (shares[rich] < 1 ? low : high).push_back(rich);
  }
  for (size_t i = 0; i < n; ++i) buckets_[i].own = static_cast<float>(shares[i]);
  low.insert(low.end(), high.begin(), high.end());
  for (const size_t i : low) buckets_[i] = {1, static_cast<int64_t>(i)};  // what rounding leaves over is 1
}

int64_t Unigrams::Draw(PhiloxWords& words) const {
  const float chance = UniformFloat(words.Next());
  const uint32_t i = UniformBelow(words, static_cast<uint32_t>(buckets_.size()));
  return chance < buckets_[i].own ? i : buckets_[i].other;
}

}  // namespace plumb::fast::cpu
