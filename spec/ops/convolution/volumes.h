// Shapes of what slides windows over volumes: batches of images with three dimensions in space.
#pragma once

#include "spec/ops/convolution/windows.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

// An attribute that has one value for each of the five dimensions.
const std::vector<int64_t>& FiveValues(const ShapeContext& c, std::string_view name);

// The five dimensions that input `i`, a shape tensor, describes.
PartialShape VolumeShape(const ShapeContext& c, int i);

// Input 0 after windows of these sizes (-1: unknown) along planes, rows and columns; `channels`: how many it has then.
PartialShape Slid(const ShapeContext& c, const std::vector<int64_t>& sizes, int64_t channels);

// Input 0, pooled in the windows that `ksize` says.
Shapes PooledVolume(const ShapeContext& c);

}  // namespace plumb::topics
