#include "fastpath/formulas/image/projection_rule.h"

#include <string>
#include <vector>

namespace plumb::fast {

Fill FillOf(const Node& node) {
  const auto mode = GetAttrOr<std::string>(node.attrs, "fill_mode", "CONSTANT");
  if (mode == "CONSTANT") return Fill::kConstant;
  if (mode == "NEAREST") return Fill::kNearest;
  if (mode == "REFLECT") return Fill::kReflect;
  Require(mode == "WRAP", "fill_mode must be CONSTANT, NEAREST, REFLECT or WRAP, not '", mode, "'");
  return Fill::kWrap;
}

bool IsLinear(const Node& node) {
  const auto& name = GetAttr<std::string>(node.attrs, "interpolation");
  Require(name == "NEAREST" || name == "BILINEAR", "interpolation must be NEAREST or BILINEAR, not '", name, "'");
  return name == "BILINEAR";
}

Shape ProjectedShape(const Shape& images, const Shape& transforms, const Tensor& size, const Shape* fill_value) {
  Require(images.rank() == 4, "images must have four dimensions, not the shape ", images.ToString());
  Require(transforms.rank() == 2 && transforms[1] == 8 && (transforms[0] == 1 || transforms[0] == images[0]),
          "transforms must be rows of eight, one for all images or one for each, not of shape ", transforms.ToString());
  Require(size.rank() == 1 && size.elements() == 2, "output_shape must be a vector of two, not of shape ",
          size.shape().ToString());
  const std::vector<int64_t> sizes = ToInt64s(size);
  Require(sizes[0] > 0 && sizes[1] > 0, "images cannot be transformed to ", sizes[0], " x ", sizes[1]);
  Require(fill_value == nullptr || fill_value->rank() == 0, "fill_value must be a scalar, not of shape ",
          fill_value == nullptr ? "" : fill_value->ToString());
  return Shape({images[0], sizes[0], sizes[1], images[3]});
}

}  // namespace plumb::fast
