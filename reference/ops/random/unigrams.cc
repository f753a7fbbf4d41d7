#include "reference/ops/random/unigrams.h"

#include <cmath>
#include <string>

#include "reference/ops/lib/text_lines.h"
#include "reference/ops/lib/text_number.h"
#include "spec/files/file_system.h"

namespace plumb::reference {
namespace {

// A line for each id: empty ones are passed over (R81).
std::vector<std::string> EntriesIn(const std::string& path) {
  std::vector<std::string> lines = LinesOf(Files().Read(path));
  std::erase_if(lines, [](const std::string& line) { return line.empty(); });
  return lines;
}

// The last of the values between commas.
float WeightIn(const std::string& line) {
  Tensor weight(DType::kFloat, Shape());
  Require(ReadNumber(line.substr(line.rfind(',') + 1), 0, weight),
          "a line of the vocabulary file ends with no weight: ", line);
  return weight.scalar<float>();
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
  Require(reserved <= int64_t{1} << 24, "num_reserved_ids must be at most 2^24, not ", reserved);
  for (int64_t id = 0; id < reserved; ++id) {
    if (id % shards == shard) weights.push_back(0);
  }
  const int64_t first = std::ssize(weights);
  const std::vector<std::string> filed = path.empty() ? std::vector<std::string>() : EntriesIn(path);
  for (int64_t i = 0; i < std::max(std::ssize(given), std::ssize(filed)); ++i) {
    if ((first + i) % shards != shard) continue;
    weights.push_back(std::pow(path.empty() ? given[i] : WeightIn(filed[i]), distortion));
    total += weights.back();
  }
  Require(range == std::ssize(weights), "range_max is ", range, ", but there are ", weights.size(), " weights");
}

}  // namespace plumb::reference
