// Elements repeated along the axes that a larger shape adds, or that have one element.
#pragma once

#include "fastpath/cpu/lib/dispatch.h"

namespace plumb::fast::cpu {

// Fills `to` with `from` broadcast to its shape. Their last axes stand beneath each other, and each of `from` has the
// size of the other's or 1; axes of 1 that `to` has no place for count for nothing.
void CopyBroadcast(ThreadPool& pool, const Tensor& from, Tensor& to);

}  // namespace plumb::fast::cpu
