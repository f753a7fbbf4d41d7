// How much memory there is to be had.
#pragma once

#include <cstdint>

namespace plumb {

// Throws kResourceExhausted for a block of `count` objects of `size` bytes that the machine has no memory for now: the
// kernel would promise it, and end the process when it is written to (rule ER11). Small blocks are not looked at.
void RequireMemory(int64_t count, int64_t size);

// All that the machine has, in bytes; 0 where the system does not say.
int64_t MachineMemory();

}  // namespace plumb
