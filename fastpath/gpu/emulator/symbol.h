// Names for addresses of code, so that a failure can say which kernel it happened in.
#pragma once

#include <string>

namespace plumb::fast::emulated_gpu::emulator {

// What the symbol table of its program or library calls a function; its address where that has been stripped.
std::string NameOfFunction(const void* function);

}  // namespace plumb::fast::emulated_gpu::emulator
