#include "mpi/protocol/collective_messages.h"

#include <algorithm>
#include <cmath>

namespace plumb::dist {

Member Described(const CollectiveMember& member) {
  return {member.device,
          static_cast<int32_t>(member.kind),
          member.sends,
          member.group_size,
          member.group_key,
          member.instance_key,
          static_cast<int32_t>(member.merge),
          member.divides,
          static_cast<int32_t>(member.dtype),
          member.shape.ToVector(),
          std::llround(std::clamp(member.timeout_seconds, 0.0, 1e15) * 1000),
          static_cast<int32_t>(member.hint)};
}

CollectiveHint HintOf(int32_t hint) {
  Require(hint >= 0 && hint <= static_cast<int32_t>(CollectiveHint::kShared),
          "a member of a group on another rank asks for a way that is not known here");
  return CollectiveHint(hint);
}

CollectiveMember MemberFrom(const Member& member) {
  const auto dtype = DType(member.dtype);
  Require(member.kind >= 0 && member.kind <= static_cast<int32_t>(CollectiveKind::kBroadcast) && member.merge >= 0 &&
              member.merge <= static_cast<int32_t>(MergeOp::kAdd) && IsValid(dtype) && !IsRef(dtype) &&
              ElementSize(dtype) > 0 && member.group_size >= 1 && member.dims.size() <= static_cast<size_t>(kMaxRank),
          "a member of a group on another rank is of a kind that is not known here");
  CollectiveMember known;
  known.device = member.device;
  known.kind = CollectiveKind(member.kind);
  known.sends = member.sends;
  known.group_size = member.group_size;
  known.group_key = member.group_key;
  known.instance_key = member.instance_key;
  known.merge = MergeOp(member.merge);
  known.divides = member.divides;
  known.dtype = dtype;
  known.hint = HintOf(member.hint);
  known.timeout_seconds = static_cast<double>(member.timeout_ms) / 1000;
  known.shape = Shape(std::span<const int64_t>(member.dims));
  return known;
}

}  // namespace plumb::dist
