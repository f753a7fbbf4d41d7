// Threads that take one job after the other, so that neither they nor the stacks of their fibers have to be made for
// each stream.
#pragma once

#include <functional>

namespace plumb::fast::emulated_gpu::emulator {

// Runs `job`, which does not throw, on a thread that has ended another one, or on a new one.
void RunOnSpareThread(std::function<void()> job);

}  // namespace plumb::fast::emulated_gpu::emulator
