// Uniform numbers in double precision, for distributions that draw until one is accepted.
#pragma once

#include "fastpath/formulas/philox.h"

namespace plumb::fast::cpu {

// Two of each block, which are used from the back.
class UniformPairs {
 public:
  explicit UniformPairs(const Philox& generator) : generator_(generator) {}
  double Next() {
    if (left_ == 0) {
      const Philox::Block words = generator_.Next();
      pair_[0] = UniformDouble(words[0], words[1]);
      pair_[1] = UniformDouble(words[2], words[3]);
      left_ = 2;
    }
    return pair_[--left_];
  }

 private:
  Philox generator_;
  double pair_[2];
  int left_ = 0;
};

}  // namespace plumb::fast::cpu
