// Slices of a variable changed by updates: what scatters into variables have in common.
#pragma once

#include "fastpath/gpu/lib/rows/named_rows.h"

namespace plumb::fast::GPU_NAMESPACE {

enum class Scatter { kReplace, kAdd, kSubtract, kMultiply, kDivide, kMin, kMax };

// Queues the changes: update i, `width` elements of `updates`, goes to the slice that it names, slices that are named
// several times taking every update in their order. Updates of rank 0 are one number for every element. NaN
// changes nothing, nor is changed, in kMin and kMax; integers wrap. Of complex numbers, kReplace, kAdd and kSubtract
// only.
void ChangeRows(GpuContext& context, Scatter scatter, const NamedRows& rows, int64_t width, const Tensor& updates,
                Tensor& target);

// Whether the values lie in the memory of the others.
bool LiesWithin(const Tensor& part, const Tensor& whole);
// The same as ChangeRows for updates that lie within the target: each is read as those before it left it (R23).
void ChangeRowsByOwn(GpuContext& context, Scatter scatter, const NamedRows& rows, int64_t width, const Tensor& updates,
                     Tensor& target);

}  // namespace plumb::fast::GPU_NAMESPACE
