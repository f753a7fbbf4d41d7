// Products of codes of two tensors, each code counted from that of 0 in its range, and the range of such products.
#pragma once

#include "reference/ops/quantization/codes.h"

namespace plumb::reference {

class CenteredFactors {
 public:
  // Of inputs 0 and 1, whose ranges are given.
  CenteredFactors(const OpContext& c, Real min_a, Real max_a, Real min_b, Real max_b)
      : a_(c.input(0)),
        b_(c.input(1)),
        codes_a_(CodesOf(c.tensor(0).dtype())),
        codes_b_(CodesOf(c.tensor(1).dtype())),
        codes_(CodesOf(c.output_type(0))),
        min_a_(min_a),
        max_a_(max_a),
        min_b_(min_b),
        max_b_(max_b),
        zero_a_(ZeroOf(codes_a_, min_a, max_a)),
        zero_b_(ZeroOf(codes_b_, min_b, max_b)) {}

  void RequireRanges() const {
    Require(max_a_.v > min_a_.v, "the first range must not be empty: ", min_a_.v, " to ", max_a_.v);
    Require(max_b_.v > min_b_.v, "the second range must not be empty: ", min_b_.v, " to ", max_b_.v);
  }
  Integer a(int64_t i) const { return a_[i] - Integer(zero_a_); }
  Integer b(int64_t i) const { return b_[i] - Integer(zero_b_); }
  // The code of 0, as 32 bits hold it.
  int32_t zero_a() const { return zero_a_; }

  // Outputs 1 and 2: what the ends of the codes stand for where a step is the product of a step of each.
  void OutputRange(OpContext& c) const {
    ComputeIn(DType::kFloat);
    const Real step = Single(StepOf(codes_a_, min_a_, max_a_) * StepOf(codes_b_, min_b_, max_b_));
    OutputFloat(c, 1, Single(step * Real(codes_.first())));
    OutputFloat(c, 2, Single(step * Real(codes_.last())));
  }

 private:
  static int32_t ZeroOf(const Codes& codes, Real min, Real max) {
    return static_cast<int32_t>(Range(codes, ValueOf(min), ValueOf(max)).Unbounded(0));
  }
  static Real StepOf(const Codes& codes, Real min, Real max) {
    return Single(Single(max - min) / Real(static_cast<float>(codes.high - codes.low)));
  }

  Reader<Integer> a_, b_;
  Codes codes_a_, codes_b_, codes_;
  Real min_a_, max_a_, min_b_, max_b_;
  int32_t zero_a_, zero_b_;
};

}  // namespace plumb::reference
