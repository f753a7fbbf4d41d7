// The numbers of many things put in order by the whole device: by one block where they are few, else by the same
// network of comparisons with a launch for each of its layers.
//
// An order is a struct with `bool operator()(int64_t a, int64_t b) const` on the card: whether a stands before b. Of
// different numbers one is before the other.
#pragma once

#include "fastpath/gpu/gpu_context.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/sort.h"

namespace plumb::fast::GPU_NAMESPACE {

inline constexpr int64_t kMostOfOneBlock = 2048;
inline constinit ChoicePoint orders_by_all("orders on GPUs: by one block, or by all of them");

template <class Order>
PLUMB_GPU_KERNEL OrderByBlock(Global<int64_t> numbers, Order order) {
  for (int64_t i = ThreadNumber(); i < numbers.size; i += Threads()) numbers[i] = i;
  SortByBlock<int64_t>(numbers, order);
}
template <class Order>
PLUMB_GPU_KERNEL OrderLayer(Global<int64_t> numbers, int64_t mask, Order order) {
  for (int64_t i = First(); i < numbers.size; i += Stride()) PutInOrder<int64_t>(numbers, i, i ^ mask, order);
}
// A template, for a header that several files include.
template <class Number>
PLUMB_GPU_KERNEL NumberLoop(Global<Number> numbers) {
  for (int64_t i = First(); i < numbers.size; i += Stride()) numbers[i] = i;
}

// The numbers below `count` in order, in the device's memory.
template <class Order>
Tensor InOrder(GpuContext& context, int64_t count, const Order& order) {
  Tensor ordered = context.Scratch(DType::kInt64, Shape({count}));
  const auto numbers = context.ViewOf<int64_t>(ordered);
  if (!orders_by_all.Chosen(count > kMostOfOneBlock)) {
    Launch(context.stream(), SortingBlocks(count == 0 ? 0 : 1, count), OrderByBlock<Order>, numbers, order);
    return ordered;
  }
  Launch(context.stream(), LoopOver(count), NumberLoop<int64_t>, numbers);
  for (int64_t run = 2; run < 2 * count; run *= 2) {
    Launch(context.stream(), LoopOver(count), OrderLayer<Order>, numbers, run - 1, order);
    for (int64_t step = run / 4; step > 0; step /= 2) {
      Launch(context.stream(), LoopOver(count), OrderLayer<Order>, numbers, step, order);
    }
  }
  return ordered;
}

}  // namespace plumb::fast::GPU_NAMESPACE
