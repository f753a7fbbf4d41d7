// Where the libraries are that tests load (backends/CMakeLists.txt).
#pragma once

#include <filesystem>
#include <string>

namespace plumb::library {

// "hostile" → build/testing/hostile.so, of the build that this program is from.
inline std::string TestLibrary(const std::string& name) {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  return program.parent_path().parent_path() / "testing" / (name + ".so");
}

}  // namespace plumb::library
