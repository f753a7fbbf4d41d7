// Slices of a variable or a tensor that rows of indices name, each of which takes its updates in their order.
#pragma once

#include "fastpath/gpu/lib/coordinates.h"
#include "fastpath/gpu/lib/rows/row_lists.h"

namespace plumb::fast::GPU_NAMESPACE {

// How a kernel sees them. Where an index names no slice, none is to change: the slot says so.
struct RowUpdates {
  Global<const int64_t> places, begins, counts, rows, slot;

  PLUMB_GPU_INLINE bool IsRefused() const { return slot[0] != 0; }
  // Whether this is the first of a slice's updates: whoever has it makes them all.
  PLUMB_GPU_INLINE bool IsFirst(int64_t update) const {
    return places[update] >= 0 && rows[begins[places[update]]] == update;
  }
};

// The memory behind a RowUpdates.
class NamedRows {
 public:
  // Queues the listing of `updates` rows of indices (int32 or int64, in the device's memory) among `count` slices. The
  // slot, which other kernels may have used already, gets the number of a row that names none, plus 1.
  NamedRows(GpuContext& context, const Tensor& indices, const Slices& slices, int64_t updates, int64_t count,
            Global<int64_t> slot);

  RowUpdates View(const GpuContext& context) const;

 private:
  Tensor places_;
  RowLists lists_;
  Global<int64_t> slot_;
};

// The slice that each row of indices names, or -1, of which the slot is told.
Tensor PlacesOf(GpuContext& context, const Tensor& indices, const Slices& slices, int64_t rows, Global<int64_t> slot);

}  // namespace plumb::fast::GPU_NAMESPACE
