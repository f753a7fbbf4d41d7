// For tests that are made for each backend.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace plumb {

// The backend's name, as a part of the name of a test.
inline std::string TestNameOf(std::string_view backend) {
  std::string name(backend);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace plumb
