// Which way a large tensor takes between the members of a meeting (CO7). None of them changes a bit of what comes of
// it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spec/ops/collective_member.h"

namespace plumb::dist {

enum class Way {
  kAllToAll,  // each member merges a chunk of its own for all
  kRoom,      // the same through memory that all of them share
  kRing,      // sums pass along the members
  kHosts,     // sums pass along the hosts, on each of which members merge chunks in turn
  kTree,      // inputs are gathered along trees, and results spread along them
};

// `hosts`: a number for each member, in the order of CO3, that those of one host share. `have_room`: all of them share
// memory. All members say the same.
Way WayOf(const CollectiveMember& member, std::span<const int> hosts, bool have_room);

// Members one after the other who are on one host.
struct HostRun {
  int first = 0, members = 1;
};
std::vector<HostRun> HostRuns(std::span<const int> hosts);

// A tensor cut into chunks of about the same number of elements, each of which travels by itself.
class Chunks {
 public:
  // As many as hold 256 KiB or less each; at least one.
  Chunks(int64_t elements, int64_t element_size);

  int count() const { return static_cast<int>(count_); }
  int64_t begin(int chunk) const { return elements_ / count_ * chunk + elements_ % count_ * chunk / count_; }
  int64_t size(int chunk) const { return begin(chunk + 1) - begin(chunk); }

 private:
  const int64_t elements_, count_;
};

}  // namespace plumb::dist
