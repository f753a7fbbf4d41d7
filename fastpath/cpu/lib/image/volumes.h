// Windows that slide over volumes: what convolution and pooling in three dimensions share. Inside, volumes are in the
// order batch, planes, rows, columns, channels (NDHWC).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "fastpath/cpu/lib/image/windows.h"
#include "fastpath/formulas/convolution/window_rules.h"

namespace plumb::fast::cpu {

// One window along each dimension of space.
struct VolumeAxes : std::array<WindowAxis, 3> {
  Shape Volume(int64_t batch, int64_t WindowAxis::*size, int64_t channels) const {
    return {batch, (*this)[0].*size, (*this)[1].*size, (*this)[2].*size, channels};
  }
  int64_t Count(int64_t WindowAxis::*size) const { return (*this)[0].*size * (*this)[1].*size * (*this)[2].*size; }
};

// Attributes of a node that slides windows, in the order of data_format.
struct VolumeAttrs {
  explicit VolumeAttrs(const Node& node);

  std::array<int64_t, 5> strides;
  std::array<int64_t, 5> dilations;  // ones where the op has none
  Padding padding;
  bool channels_first;  // NCDHW, else NDHWC

  int batch() const { return 0; }
  int space(int i) const { return (channels_first ? 2 : 1) + i; }
  int depth() const { return channels_first ? 1 : 4; }

  // `volume`: in NDHWC order; `windows`: their sizes along planes, rows and columns.
  VolumeAxes Place(const Shape& volume, const std::array<int64_t, 3>& windows) const;
};

// The five dimensions in NDHWC order, from a shape in the node's order; and back.
Shape ToNdhwc(const Shape& shape, bool channels_first);
Shape FromNdhwc(const Shape& shape, bool channels_first);
// The same for the elements; NDHWC values come back as they are.
Tensor ToNdhwc(ThreadPool& pool, const Tensor& volume, bool channels_first);
Tensor FromNdhwc(ThreadPool& pool, const Tensor& volume, bool channels_first);

}  // namespace plumb::fast::cpu
