// What ranks that are threads of one process share as ranks of one host do: an area for each.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

#include "mpi/transport/transport.h"

namespace plumb::dist {

class SharedAreas {
 public:
  // Of no ranks: none of their memory is shared.
  explicit SharedAreas(int ranks) {
    for (int rank = 0; rank < ranks; ++rank) areas_.emplace_back(std::calloc(kBytes + kAligned, 1));
  }
  SharedArea Of(int rank) const {
    if (areas_.empty()) return {};
    auto* const memory = static_cast<std::byte*>(areas_[rank].get());
    const size_t behind = reinterpret_cast<uintptr_t>(memory) % kAligned;
    return {memory + (behind == 0 ? 0 : kAligned - behind), kBytes};
  }
  bool Reserve(size_t bytes) const { return bytes <= kBytes && !areas_.empty(); }

 private:
  static constexpr size_t kBytes = size_t{16} << 20, kAligned = 4096;
  struct Freed {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::vector<std::unique_ptr<void, Freed>> areas_;
};

}  // namespace plumb::dist
