// The windows of output pixels gathered side by side, as the rows of a matrix: what makes a convolution a matrix
// product. An image is a volume of one plane.
#pragma once

#include <algorithm>
#include <type_traits>

#include "fastpath/cpu/lib/image/volumes.h"
#include "fastpath/cpu/lib/parallel.h"

namespace plumb::fast::cpu {

struct PatchGrid {
  VolumeAxes axes;
  int64_t in_depth = 0;

  // Elements of one window, and of one volume.
  int64_t patch() const { return axes.Count(&WindowAxis::window) * in_depth; }
  int64_t volume() const { return axes.Count(&WindowAxis::input) * in_depth; }
  // The output pixels that differ in their column alone are a line.
  int64_t lines() const { return axes[0].output * axes[1].output; }
  int64_t columns() const { return axes[2].output; }
};

constexpr int64_t kPatchBytes = 512 * 1024;

// Lines whose windows are gathered at a time: all of a volume, or (`cut`) as many as stay in the cache.
template <class T>
int64_t LinesAtOnce(const PatchGrid& grid, ChoicePoint& cut) {
  const int64_t line = grid.columns() * grid.patch() * static_cast<int64_t>(sizeof(T));
  const int64_t fitting = kPatchBytes / line;
  return cut.Chosen(fitting < grid.lines()) ? std::max<int64_t>(1, fitting) : grid.lines();
}

// Room for the windows of so many lines.
template <class T>
Tensor NewPatches(const PatchGrid& grid, int64_t lines) {
  return Allocate(DTypeOf<T>, {lines * grid.columns(), grid.patch()});
}

// Calls body(volume, first line, last line) for blocks of `at_once` lines of the volumes [begin, end).
template <class Body>
void ForEachBlock(const PatchGrid& grid, int64_t at_once, int64_t begin, int64_t end, const Body& body) {
  for (int64_t volume = begin; volume < end; ++volume) {
    for (int64_t line = 0; line < grid.lines(); line += at_once) {
      body(volume, line, std::min(grid.lines(), line + at_once));
    }
  }
}

// Calls visit(patch offset, volume offset) for every place of the windows of lines [first, last) of a volume; the
// volume offset is −1 where the place is padding. Each place is in_depth elements.
template <class F>
void ForEachPlace(const PatchGrid& grid, int64_t first, int64_t last, const F& visit) {
  const WindowAxis &planes = grid.axes[0], &rows = grid.axes[1], &columns = grid.axes[2];
  const auto inside = [](const WindowAxis& axis, int64_t at) { return at >= 0 && at < axis.input; };
  int64_t patch = 0;
  for (int64_t line = first; line < last; ++line) {
    const int64_t plane_start = planes.Start(line / rows.output), row_start = rows.Start(line % rows.output);
    for (int64_t q = 0; q < columns.output; ++q) {
      for (int64_t k = 0; k < planes.window; ++k) {
        const int64_t plane = plane_start + k * planes.dilation;
        for (int64_t l = 0; l < rows.window; ++l) {
          const int64_t row = row_start + l * rows.dilation;
          const bool row_inside = inside(planes, plane) && inside(rows, row);
          const int64_t start = (plane * rows.input + row) * columns.input;
          for (int64_t m = 0; m < columns.window; ++m, patch += grid.in_depth) {
            const int64_t column = columns.Start(q) + m * columns.dilation;
            visit(patch, row_inside && inside(columns, column) ? (start + column) * grid.in_depth : -1);
          }
        }
      }
    }
  }
}

// Padding is zeros.
template <class T>
void GatherPatches(const PatchGrid& grid, const T* volume, int64_t first, int64_t last, T* patches) {
  ForEachPlace(grid, first, last, [&](int64_t patch, int64_t at) {
    if (at < 0) {
      std::fill_n(patches + patch, grid.in_depth, T());
    } else {
      std::copy_n(volume + at, grid.in_depth, patches + patch);
    }
  });
}

// Signed overflow wraps, as TensorFlow's does.
template <class T>
T WrappedSum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
  } else {
    return a + b;
  }
}

// The way back: each window is added to the places that it came from.
template <class T>
void AddPatches(const PatchGrid& grid, const T* patches, int64_t first, int64_t last, T* volume) {
  ForEachPlace(grid, first, last, [&](int64_t patch, int64_t at) {
    if (at < 0) return;
    for (int64_t c = 0; c < grid.in_depth; ++c) volume[at + c] = WrappedSum(volume[at + c], patches[patch + c]);
  });
}

}  // namespace plumb::fast::cpu
