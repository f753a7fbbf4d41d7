#include "fastpath/gpu/emulator/shared_memory.h"

#include <algorithm>

namespace plumb::fast::emulated_gpu::emulator {
namespace {

constexpr char kGarbage = '\xA5';

}  // namespace

SharedMemory::Array::Array(const void* site, const char* name, size_t element, int64_t size)
    : site_(site),
      name_(name),
      element_(element),
      size_(size),
      bytes_(element * static_cast<size_t>(size), kGarbage),
      touched_(static_cast<size_t>(size)) {}

// A barrier of the block orders everything; one of a warp, what its own threads did.
bool SharedMemory::Array::IsRace(const Access& before, int thread, const Barriers& barriers) {
  if (before.block_barriers != barriers.passed || before.thread == thread) return false;
  return before.thread / kWarp != thread / kWarp || before.warp_barriers == barriers.warps[thread / kWarp];
}

int SharedMemory::Array::Read(int64_t i, int thread, const Barriers& barriers) {
  Touched& touched = touched_[static_cast<size_t>(i)];
  if (IsRace(touched.writer, thread, barriers)) return touched.writer.thread;
  const Access access = {barriers.passed, barriers.warps[thread / kWarp], thread};
  Access& reader = touched.reader;
  if (reader.block_barriers == barriers.passed && reader.thread / kWarp != thread / kWarp) {
    touched.stranger = access;
  } else if (IsRace(reader, thread, barriers)) {  // it would be one if this wrote: neither is ordered before the other
    touched.neighbour = access;
  } else {
    reader = access;
  }
  return -1;
}

int SharedMemory::Array::Write(int64_t i, int thread, const Barriers& barriers) {
  Touched& touched = touched_[static_cast<size_t>(i)];
  for (const Access* const access : {&touched.writer, &touched.reader, &touched.neighbour, &touched.stranger}) {
    if (IsRace(*access, thread, barriers)) return access->thread;
  }
  touched.writer = {barriers.passed, barriers.warps[thread / kWarp], thread};
  return -1;
}

SharedMemory::Array& SharedMemory::Declare(const void* site, const char* name, size_t element, int64_t size) {
  for (const auto& array : arrays_) {
    if (array->site_ == site) return *array;
  }
  arrays_.push_back(std::make_unique<Array>(site, name, element, size));
  bytes_ += element * static_cast<size_t>(size);
  return *arrays_.back();
}

void SharedMemory::BeginBlock() {
  for (const auto& array : arrays_) std::fill(array->bytes_.begin(), array->bytes_.end(), kGarbage);
}

}  // namespace plumb::fast::emulated_gpu::emulator
