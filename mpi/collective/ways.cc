#include "mpi/collective/ways.h"

#include <algorithm>

#include "fastpath/cpu/lib/half_convert.h"
#include "mpi/collective/shared_reduce.h"

namespace plumb::dist {
namespace {

constexpr int64_t kSmallestInRoom = 256 * 1024;    // bytes: messages are as fast below
constexpr int64_t kSmallestByHosts = 1024 * 1024;  // bytes, of which a chain has several chunks under way
constexpr int64_t kChunk = 256 * 1024;             // bytes

}  // namespace

Way WayOf(const CollectiveMember& member, std::span<const int> hosts, bool have_room) {
  const auto members = std::ssize(hosts);
  if (member.kind != CollectiveKind::kReduce || members < 2) return Way::kAllToAll;
  if (member.hint == CollectiveHint::kRing) return Way::kRing;
  if (member.hint == CollectiveHint::kTree) return Way::kTree;
  const auto size = static_cast<int64_t>(ElementSize(member.dtype));
  const int64_t bytes = member.shape.elements() * size;
  const auto runs = std::ssize(HostRuns(hosts));
  if (runs == 1) {
    const bool suits = have_room && members <= MeetingRoom::kMostMembers && bytes >= kSmallestInRoom;
    return suits ? Way::kRoom : Way::kAllToAll;
  }
  if (member.hint == CollectiveHint::kShared) return Way::kHosts;
  // Of k members on each of h hosts, all to all sends 2 k (h - 1) / h tensors away from each host; of a chain's hosts
  // the busiest sends one of sums and one of results, or one of sums where there are two.
  const int64_t of_sums = static_cast<int64_t>(ElementSize(fast::cpu::ComputeType(member.dtype))) / size;
  const bool saves_traffic = 2 * members * (runs - 1) > runs * runs * (runs == 2 ? of_sums : of_sums + 1);
  return saves_traffic && bytes >= kSmallestByHosts ? Way::kHosts : Way::kAllToAll;
}

std::vector<HostRun> HostRuns(std::span<const int> hosts) {
  std::vector<HostRun> runs;
  for (size_t i = 0; i < hosts.size(); ++i) {
    if (i > 0 && hosts[i] == hosts[i - 1]) {
      ++runs.back().members;
    } else {
      runs.push_back({static_cast<int>(i), 1});
    }
  }
  return runs;
}

Chunks::Chunks(int64_t elements, int64_t element_size)
    : elements_(elements), count_(std::max<int64_t>(1, (elements - 1) / (kChunk / element_size) + 1)) {}

}  // namespace plumb::dist
