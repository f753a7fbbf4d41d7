// Draws from a fixed list of weights (R81): the weights of a node, and a table of buckets, each of which holds its own
// id with some probability and another id besides.
#pragma once

#include <vector>

#include "fastpath/formulas/philox.h"
#include "spec/graph/graph.h"

namespace plumb::fast::cpu {

class Unigrams {
 public:
  // From the node's attributes, and the file that they name. Throws kInvalidArgument where they contradict each other.
  explicit Unigrams(const Node& node);
  int64_t range() const { return static_cast<int64_t>(weights_.size()); }
  // How many ids may be drawn.
  int64_t possible() const { return possible_; }
  int64_t Draw(PhiloxWords& words) const;
  // Zero for what is no id.
  float Probability(int64_t id) const { return id < 0 ? 0 : weights_[static_cast<size_t>(id)] / total_; }

 private:
  struct Bucket {
    float own = 1;
    int64_t other = -1;
  };
  void FillBuckets();

  std::vector<float> weights_;
  std::vector<Bucket> buckets_;
  float total_ = 0;  // added up in float32, in order
  int64_t possible_ = 0;
};

}  // namespace plumb::fast::cpu
