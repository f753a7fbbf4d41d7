#include "fastpath/formulas/image/box_rule.h"

#include <limits>

namespace plumb::fast {
namespace {

void RequireScalar(const Tensor& tensor, std::string_view what) {
  Require(tensor.rank() == 0, what, " must be a scalar, not of shape ", tensor.shape().ToString());
}

}  // namespace

void CheckScores(const Shape& scores, int64_t boxes) {
  Require(scores.rank() == 1 && scores[0] == boxes, scores.ToString(), " is not a score for each of ", boxes, " boxes");
  Require(boxes <= std::numeric_limits<int32_t>::max(), "there are ", boxes, " boxes, more than int32 counts");
}

void CheckBoxes(const Shape& boxes, const Shape& scores) {
  Require(boxes.rank() == 2 && boxes[1] == 4, "boxes have four corners each, not the shape ", boxes.ToString());
  CheckScores(scores, boxes[0]);
}

void CheckSelection(int64_t size, float overlap) {
  Require(overlap >= 0 && overlap <= 1, "iou_threshold must be from 0 to 1, not ", overlap);
  Require(size >= 0, "max_output_size must not be negative, which ", size, " is");
}

float RealScalarIn(const Tensor& tensor, std::string_view what) {
  RequireScalar(tensor, what);
  return tensor.dtype() == DType::kHalf ? static_cast<float>(tensor.data<Half>()[0]) : tensor.data<float>()[0];
}

int64_t IntScalarIn(const Tensor& tensor, std::string_view what) {
  RequireScalar(tensor, what);
  return tensor.data<int32_t>()[0];
}

}  // namespace plumb::fast
