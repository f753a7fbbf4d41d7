// Shapes of what slides windows over images: convolutions and pooling.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "spec/ops/image_format.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {

// An attribute that has one value for each dimension of an image batch.
const std::vector<int64_t>& FourValues(const ShapeContext& c, std::string_view name);

// `pads` counts for EXPLICIT padding only.
struct Window {
  int64_t size;
  int64_t stride;
  int64_t dilation = 1;
  int64_t pads = 0;
};

// How many windows fit along one dimension; -1: unknown.
int64_t CountWindows(const ShapeContext& c, int64_t input, const Window& window, std::string_view padding);

// Amounts before and after each dimension in the order of data_format; empty unless the padding is EXPLICIT.
std::vector<int64_t> ExplicitPaddings(const ShapeContext& c, std::string_view padding);
// Both amounts of one dimension.
int64_t PadsOf(const std::vector<int64_t>& paddings, int axis);

// The four dimensions that input `i`, a shape tensor, describes.
PartialShape ImageShape(const ShapeContext& c, int i);

// Input 0, pooled along the dimensions for which `ksize` has a window; the batch is never pooled.
PartialShape Pooled(const ShapeContext& c, const std::vector<int64_t>& paddings, bool over_channels);
// The same with sizes and strides that are no attributes.
PartialShape Pooled(const ShapeContext& c, const std::vector<int64_t>& ksize, const std::vector<int64_t>& strides,
                    const std::vector<int64_t>& paddings, bool over_channels);

}  // namespace plumb::topics
