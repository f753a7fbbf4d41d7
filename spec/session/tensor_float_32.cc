#include "spec/session/tensor_float_32.h"

#include <atomic>
#include <cstdlib>
#include <string_view>

namespace plumb {
namespace {

constinit std::atomic<bool> is_asked_for{false};

bool IsForbidden() {
  const char* const word = std::getenv("NVIDIA_TF32_OVERRIDE");
  return word != nullptr && std::string_view(word) == "0";
}

}  // namespace

void EnableTensorFloat32(bool enabled) { is_asked_for = enabled; }

bool IsTensorFloat32Enabled() { return is_asked_for && !IsForbidden(); }

}  // namespace plumb
