#include "fastpath/device/kernel.h"

namespace plumb::fast {

std::string PathOf(const FrameIteration& place) {
  std::string path;
  for (const FrameIteration* at = &place; at->outer != nullptr; at = at->outer) {
    path = Str(at->frame, ":", at->number, path.empty() ? "" : "/", path);
  }
  return path;
}

}  // namespace plumb::fast
