// Deadlines of threads that may live in another time than the clock's.
#pragma once

#include <chrono>
#include <functional>

namespace plumb::dist {

// For a deadline so long from now. Where the calling thread is a program of a simulated run
// (SimulatedRun::RunTogether), or does what is to do for a rank there: true, and `late` is called as receivers are,
// once it is that late in the run's time and nobody has anything left to do before; unless all programs have ended by
// then. False anywhere else: the deadline is to be kept by the clock.
bool KeepDeadline(std::chrono::nanoseconds time, std::function<void()> late);

}  // namespace plumb::dist
