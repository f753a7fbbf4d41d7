// The bins of HistogramFixedWidth.
#pragma once

#include "spec/core/status.h"
#include "spec/core/tensor.h"

namespace plumb::fast {

// How many bins there are to be; `bins` lies on the host. Throws kInvalidArgument for less than one, and for a range
// that is not two numbers.
int64_t BinsOfHistogram(const Shape& range, const Tensor& bins);
// What is said of a value, by its number, that no bin takes.
Status RefusalOfValue(int64_t value);

}  // namespace plumb::fast
