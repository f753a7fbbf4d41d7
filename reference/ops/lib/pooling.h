// Pooling: one element out of each window of an image. Inside, images are in the order batch, height, width, channels;
// windows may extend over channels too.
#pragma once

#include <string_view>
#include <vector>

#include "reference/ops/lib/window.h"

namespace plumb::reference {

struct Pooling {
  int64_t batch;
  Window height, width, depth;
  ImageLayout layout;

  Shape input_shape() const { return Shape({batch, height.in, width.in, depth.in}); }
  Shape output_shape() const { return Shape({batch, height.out, width.out, depth.out}); }
};

// The attributes of a pooling op, checked when its kernel is created, in the order of TensorFlow's kernels: that the
// batch is not pooled, that windows have sizes (max pooling asks for that first), that channels are not pooled.
void CheckBatchPooling(const Node& node);
void CheckPooling(const Node& node);
void CheckMaxPooling(const Node& node);
void CheckPlanePooling(const Node& node);
// The last of these where ksize and strides may be inputs.
void CheckPlanePooling(const OpContext& context);
// Sizes and strides are the attributes ksize and strides or, where the op has none, its last two inputs.
// `may_be_empty`: a window of a size below one holds nothing, and of VALID padding as many more of them fit; otherwise
// it is refused.
Pooling PoolingOf(const OpContext& context, const Shape& input, bool may_be_empty = false);
// Windows over channels are for MaxPool alone.
void CheckPlane(const OpContext& context, const Pooling& pool);
// A tensor with one element for each window.
void CheckGradient(const Pooling& pool, const Tensor& tensor, std::string_view what);

// Where a window's gradient goes: to its first element, unless a later one is larger. Nothing is larger than NaN.
template <class N>
int64_t Chosen(const Array<N>& x, const std::vector<int64_t>& window) {
  int64_t chosen = window.at(0);
  for (const int64_t i : window) {
    if (x[i] > x[chosen]) chosen = i;
  }
  return chosen;
}

// Calls visit(output position, input positions of its window, in row-major order) for every window.
template <class F>
void ForEachWindow(const Pooling& pool, F visit) {
  if (pool.output_shape().elements() == 0) return;
  const auto rows = pool.height.TapsBy(&Tap::out), columns = pool.width.TapsBy(&Tap::out);
  const auto channels = pool.depth.TapsBy(&Tap::out);
  std::vector<int64_t> window;
  int64_t output = 0;
  for (int64_t n = 0; n < pool.batch; ++n) {
    for (const auto& row_taps : rows) {
      for (const auto& column_taps : columns) {
        for (const auto& channel_taps : channels) {
          window.clear();
          for (const Tap& row : row_taps) {
            for (const Tap& column : column_taps) {
              const int64_t pixel = (n * pool.height.in + row.in) * pool.width.in + column.in;
              for (const Tap& channel : channel_taps) window.push_back(pixel * pool.depth.in + channel.in);
            }
          }
          visit(output++, window);
        }
      }
    }
  }
}

}  // namespace plumb::reference
