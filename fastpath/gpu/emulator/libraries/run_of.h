// Many elements of device memory, for the libraries' fakes: what is checked once is read as the host reads.
#pragma once

#include <cstdint>

#include "fastpath/gpu/emulator/include/gpu_language.h"

namespace plumb::fast::emulated_gpu {

// Where the host finds the first of `count` elements of a view that lie `stride` (0 or more) apart, from its `first`
// on. They have to be within the view and in one block of the device's memory, or it is an error of the grid.
template <class T>
const T* RunOf(const Global<const T>& view, int64_t first, int64_t stride, int64_t count) {
  if (count <= 0) return nullptr;
  static_cast<void>(view[first]), static_cast<void>(view[first + (count - 1) * stride]);
  return emulator::Grid::Current("RunOf").Follow(view.data + first, static_cast<size_t>((count - 1) * stride + 1));
}

}  // namespace plumb::fast::emulated_gpu
