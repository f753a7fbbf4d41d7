// Windows that slide over volumes: batches of images with three dimensions in space. Inside, volumes are in the order
// batch, planes, rows, columns, channels (NDHWC).
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "reference/ops/lib/window.h"

namespace plumb::reference {

// Where each of the five dimensions is in a tensor: data_format NDHWC or NCDHW.
struct VolumeLayout {
  std::array<int, 5> axes;  // of batch, planes, rows, columns, channels
  int batch() const { return axes[0]; }
  int space(int i) const { return axes[1 + i]; }
  int channels() const { return axes[4]; }
};
VolumeLayout VolumeLayoutOf(const Node& node);

Shape ToNdhwc(const Shape& shape, const VolumeLayout& layout);
Shape FromNdhwc(const Shape& shape, const VolumeLayout& layout);
Value ToNdhwc(const Value& value, const VolumeLayout& layout);
Value FromNdhwc(const Value& value, const VolumeLayout& layout);

// A list attribute with one entry per dimension.
std::vector<int64_t> FiveInts(const Node& node, std::string_view name);

// One window along each dimension of space.
using VolumeWindows = std::array<Window, 3>;
// Taps of each dimension, grouped by one of their members.
using VolumeTaps = std::array<std::vector<std::vector<Tap>>, 3>;
VolumeTaps TapsBy(const VolumeWindows& windows, int64_t Tap::*member);

// Where a pixel of a batch of volumes stands, in pixels.
inline int64_t PixelAt(const std::array<int64_t, 3>& space, int64_t n, int64_t plane, int64_t row, int64_t column) {
  return ((n * space[0] + plane) * space[1] + row) * space[2] + column;
}

// Calls visit(plane taps, row taps, column taps) for each triple of groups, in row-major order.
template <class F>
void ForEachGroup(const VolumeTaps& taps, const F& visit) {
  for (const auto& planes : taps[0]) {
    for (const auto& rows : taps[1]) {
      for (const auto& columns : taps[2]) visit(planes, rows, columns);
    }
  }
}

// Pooling: one element out of each window, channel by channel.
struct VolumePooling {
  int64_t batch, channels;
  VolumeWindows windows;
  VolumeLayout layout;

  Shape input_shape() const { return Shape({batch, windows[0].in, windows[1].in, windows[2].in, channels}); }
  Shape output_shape() const { return Shape({batch, windows[0].out, windows[1].out, windows[2].out, channels}); }
};
// The attributes of a pooling op, checked when its kernel is created.
void CheckVolumePooling(const Node& node);
// The same of a gradient, whose windows are asked for their sizes last.
void CheckVolumePoolingGradient(const Node& node);
VolumePooling VolumePoolingOf(const Node& node, const Shape& input);
// A tensor with one element for each window.
void CheckGradient(const VolumePooling& pool, const Tensor& tensor, std::string_view what);

// Calls visit(output position, input positions of its window, in row-major order) for every window.
template <class F>
void ForEachWindow(const VolumePooling& pool, const F& visit) {
  if (pool.output_shape().elements() == 0) return;
  const VolumeTaps taps = TapsBy(pool.windows, &Tap::out);
  const std::array<int64_t, 3> space{pool.windows[0].in, pool.windows[1].in, pool.windows[2].in};
  std::vector<int64_t> window;
  int64_t output = 0;
  for (int64_t n = 0; n < pool.batch; ++n) {
    ForEachGroup(taps, [&](const auto& planes, const auto& rows, const auto& columns) {
      for (int64_t c = 0; c < pool.channels; ++c) {
        window.clear();
        for (const Tap& plane : planes) {
          for (const Tap& row : rows) {
            for (const Tap& column : columns) {
              window.push_back(PixelAt(space, n, plane.in, row.in, column.in) * pool.channels + c);
            }
          }
        }
        visit(output++, window);
      }
    });
  }
}

}  // namespace plumb::reference
