// Where the dimensions of a batch of images stand: the attribute data_format. NHWC formats end with the channels, NCHW
// formats have them behind the batch.
#pragma once

#include <string>

#include "spec/ops/op_def.h"

namespace plumb::topics {

struct Format {
  bool channels_first;
  int Channel(int rank) const { return channels_first ? 1 : rank - 1; }
  int Spatial(int i) const { return (channels_first ? 2 : 1) + i; }
};

inline Format FormatOf(const ShapeContext& c) { return {c.attr<std::string>("data_format").starts_with("NC")}; }

}  // namespace plumb::topics
