// What the members of a group of collective ops say of themselves, in which order they stand, and when they do not fit
// (rules CO1–CO5).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "spec/core/attr.h"
#include "spec/core/shape.h"

namespace plumb {

enum class CollectiveKind { kReduce, kGather, kBroadcast };
// How CollectiveReduce merges two elements (CO3).
enum class MergeOp { kMin, kMax, kMul, kAdd };
// Which way a CollectiveReduce asks its tensors to take between processes (CO7). It changes no bit of what comes of
// them.
enum class CollectiveHint { kAuto, kRing, kTree, kShared };
// What one of the four ops does.
enum class CollectiveRole { kReduces, kGathers, kSends, kReceives };

struct CollectiveMember {
  std::string device;  // that it asks for; in full where it meets others
  CollectiveKind kind = CollectiveKind::kReduce;
  bool sends = false;  // of kBroadcast: it is the one whose input all get
  int64_t group_size = 0;
  int64_t group_key = 0;
  int64_t instance_key = 0;
  MergeOp merge = MergeOp::kAdd;  // of kReduce
  bool divides = false;           // of the same: final_op is Div
  DType dtype = DType::kInvalid;
  Shape shape;                 // of what it brings; of one that receives, of what it gets
  double timeout_seconds = 0;  // CO7; 0: it waits as long as its step may
  CollectiveHint hint = CollectiveHint::kAuto;

  bool BringsInput() const { return kind != CollectiveKind::kBroadcast || sends; }
};

// What a node says; of one that brings a tensor, all but its shape. Throws kInvalidArgument for
// attributes that make no sense.
CollectiveMember MemberOf(CollectiveRole role, const AttrMap& attrs, const std::string& device);
// Takes the shape of its input; throws kInvalidArgument where it cannot be brought: a scalar to gather (CO4), another
// shape than was declared to send (CO5).
void TakeInputShape(CollectiveMember& member, const Shape& shape);

// The task of sessions in one process.
inline constexpr std::string_view kOneTask = "/job:localhost/replica:0/task:0";
// CO1: the device that a member asks for, in full: what it leaves open is the task's first CPU.
std::string FullDevice(const std::string& request, std::string_view task);

// CO3. Whether the member on device `a` stands before that on device `b`.
bool StandsBefore(std::string_view a, std::string_view b);

// CO2, CO5: why two members cannot meet; empty where they can.
std::string WhyNotWith(const CollectiveMember& a, const CollectiveMember& b);
// CO5: why a meeting that all have come to cannot be; empty where it can.
std::string WhyIncomplete(std::span<const CollectiveMember> members);

// "the group 1 (instance 7)".
std::string MeetingName(const CollectiveMember& member);
// "2 of 3 members of the group 1 (instance 7) are there: DEVICE, DEVICE".
std::string WhoIsThere(std::span<const CollectiveMember> members);
// CO6: what the others of a meeting are told when a member's step ends.
std::string WhoHasGone(const CollectiveMember& member);

// CO7: whether timeout_seconds ends the member's wait; longer than a year is for ever.
bool IsLimited(const CollectiveMember& member);
// CO7: what all who are there are told when one of them has waited for so long.
std::string WhoIsThereInTime(const CollectiveMember& late, std::span<const CollectiveMember> members);

}  // namespace plumb
