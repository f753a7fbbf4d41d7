#include "fastpath/formulas/reduction/histogram.h"

namespace plumb::fast {

int64_t BinsOfHistogram(const Shape& range, const Tensor& bins) {
  Require(range.rank() == 1 && range.elements() == 2, "value_range must hold two numbers, not have the shape ",
          range.ToString());
  Require(bins.rank() == 0, "nbins must be a scalar, not of shape ", bins.shape().ToString());
  const int64_t count = ToInt64s(bins).front();
  Require(count > 0, "nbins must be positive, not ", count);
  return count;
}

Status RefusalOfValue(int64_t value) {
  return Status(Code::kInvalidArgument, Str("value ", value,
                                            " has no place in the range: it, or the range, is not a "
                                            "number, or infinite"));
}

}  // namespace plumb::fast
