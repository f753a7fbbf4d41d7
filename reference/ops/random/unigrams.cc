#include "reference/ops/random/unigrams.h"

#include <charconv>
#include <cmath>
#include <string>

#include "spec/files/file_system.h"

namespace plumb::reference {
namespace {

// The last field of each line of comma-separated values.
std::vector<float> WeightsIn(const std::string& path) {
  const std::string text = Files().Read(path);
  std::vector<float> weights;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const std::string field = line.substr(line.rfind(',') + 1);
    float weight = 0;
    const auto [rest, error] = std::from_chars(field.data(), field.data() + field.size(), weight);
    Require(error == std::errc() && rest == field.data() + field.size(), "a line of the vocabulary file ", path,
            " ends with no weight: ", line);
    weights.push_back(weight);
    begin = end + 1;
  }
  return weights;
}

}  // namespace

Unigrams::Unigrams(const Node& node) {
  const auto& path = GetAttr<std::string>(node.attrs, "vocab_file");
  const auto given = GetAttr<std::vector<float>>(node.attrs, "unigrams");
  Require(path.empty() != given.empty(), "either vocab_file or unigrams must say the weights, not both");
  const int64_t shards = GetAttr<int64_t>(node.attrs, "num_shards"), shard = GetAttr<int64_t>(node.attrs, "shard");
  const int64_t reserved = GetAttr<int64_t>(node.attrs, "num_reserved_ids");
  const auto distortion = GetAttr<float>(node.attrs, "distortion");
  range = GetAttr<int64_t>(node.attrs, "range_max");
  Require(shard < shards, "shard ", shard, " is none of ", shards);
  Require(reserved <= int64_t{1} << 24, "too many reserved ids: ", reserved);
  for (int64_t id = 0; id < reserved; ++id) {
    if (id % shards == shard) weights.push_back(0);
  }
  int64_t id = std::ssize(weights);
  for (const float weight : path.empty() ? given : WeightsIn(path)) {
    if (id++ % shards != shard) continue;
    weights.push_back(std::pow(weight, distortion));
    total += weights.back();
  }
  Require(range == std::ssize(weights), "range_max is ", range, ", but there are ", weights.size(), " weights");
}

}  // namespace plumb::reference
