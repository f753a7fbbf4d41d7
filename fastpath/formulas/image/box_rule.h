// Boxes and their scores, of which some are suppressed: what inputs must be. What does not fit is kInvalidArgument.
#pragma once

#include "spec/core/tensor.h"

namespace plumb::fast {

// Scores [boxes], of no more boxes than int32 counts.
void CheckScores(const Shape& scores, int64_t boxes);
// Boxes [boxes, 4] and their scores.
void CheckBoxes(const Shape& boxes, const Shape& scores);
// How many boxes may be selected, and the overlap beyond which one hides another.
void CheckSelection(int64_t size, float overlap);
// A scalar of float16 or float32 on the host, and one of int32. `what`: its name.
float RealScalarIn(const Tensor& tensor, std::string_view what);
int64_t IntScalarIn(const Tensor& tensor, std::string_view what);

}  // namespace plumb::fast
