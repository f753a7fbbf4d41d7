// Cases for the other layout of images: channels before height and width, or behind them.
#pragma once

#include "spec/samples/sample.h"

namespace plumb::conformance {

inline constexpr char kDataFormat[] = "data_format";

// Turns a case of four dimensions from one of the layouts NHWC and NCHW to `format`, the other: images, vectors that
// hold their sizes, strides, windows, dilations and paddings. Filters stay, and so does all of a case of other layouts.
// The attribute itself is the caller's to set.
void TurnLayout(const OpDef& op, const AttrValue& format, SampledCase* sampled);

}  // namespace plumb::conformance
