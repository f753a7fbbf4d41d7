// Uniform numbers in double precision, for distributions that draw until one is accepted.
#pragma once

#include "reference/ops/lib/random_stream.h"

namespace plumb::reference {

// Pairs of doubles, which are used from the back.
class UniformPairs {
 public:
  explicit UniformPairs(Philox generator) : generator_(generator) {}
  double Next() {
    if (left_ == 0) {
      const Philox::Block w = generator_.Next();
      pair_[0] = UniformDouble(w[0], w[1]);
      pair_[1] = UniformDouble(w[2], w[3]);
      left_ = 2;
    }
    return pair_[--left_];
  }

 private:
  Philox generator_;
  double pair_[2] = {};
  int left_ = 0;
};

}  // namespace plumb::reference
