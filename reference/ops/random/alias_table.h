// Draws from given weights with one bucket and one number (R81): a bucket holds its own id with some probability and
// another id besides.
#pragma once

#include <vector>

#include "reference/numbers/philox.h"

namespace plumb::reference {

class AliasTable {
 public:
  explicit AliasTable(const std::vector<float>& weights);
  int64_t Draw(PhiloxWords& words) const;

 private:
  std::vector<float> probability_;
  std::vector<int64_t> other_;
};

}  // namespace plumb::reference
