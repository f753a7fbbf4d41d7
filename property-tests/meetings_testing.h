// Random meetings of members on different ranks, and what they bring and leave with (CO1–CO5).
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "client/scope.h"
#include "property-tests/generators/tape.h"
#include "spec/core/tensor.h"
#include "spec/graph/graph_def.h"

namespace plumb::property {

// What some ranks do in each step.
struct RandomMeeting {
  std::string op;            // of those that bring something
  AttrMap attrs;             // of the same
  std::vector<int> members;  // two ranks at least, in the order of CO3
  int sender = 0;            // of these the one that brings something where the others bring nothing
  int64_t elements = 0;      // that each brings

  bool Has(int rank) const { return std::count(members.begin(), members.end(), rank) == 1; }
  bool IsBroadcast() const { return op == "CollectiveBcastSend"; }
};

inline std::vector<int> AnyMembers(Tape& tape, int ranks) {
  std::vector<int> members;
  for (int rank = 0; rank < ranks; ++rank) {
    if (!tape.Chance(20)) members.push_back(rank);
  }
  if (members.size() < 2) members = {0, ranks - 1};
  return members;
}

// Sizes around what goes to the keeper of a meeting, and what takes other ways.
inline RandomMeeting AnyMeeting(Tape& tape, const std::vector<int>& members) {
  constexpr const char* kOps[] = {"CollectiveReduce", "CollectiveGather", "CollectiveBcastSend"};
  constexpr const char* kMerges[] = {"Add", "Mul", "Max", "Min"};
  constexpr const char* kFinals[] = {"Id", "Div"};
  constexpr const char* kHints[] = {"auto", "ring", "tree", "shared"};
  constexpr int64_t kSizes[] = {3, 0, 1, 8192, 8193, 66'000, 150'000};
  RandomMeeting meeting;
  meeting.members = members;
  meeting.op = kOps[tape.Below(std::size(kOps))];
  meeting.sender = members[tape.Below(static_cast<int>(members.size()))];
  meeting.elements = kSizes[tape.Below(std::size(kSizes))];
  meeting.attrs = {{"T", DType::kFloat}, {"group_size", static_cast<int64_t>(members.size())}};
  if (meeting.op == "CollectiveReduce") {
    meeting.attrs["merge_op"] = kMerges[tape.Below(std::size(kMerges))];
    meeting.attrs["final_op"] = kFinals[tape.Below(std::size(kFinals))];
    meeting.attrs["subdiv_offsets"] = std::vector<int64_t>{};
    meeting.attrs["communication_hint"] = kHints[tape.Below(std::size(kHints))];
  } else {
    meeting.attrs["shape"] = meeting.IsBroadcast() ? PartialShape({meeting.elements}) : PartialShape();
  }
  return meeting;
}

// One to three meetings of some of so many ranks; what they reduce, gather or broadcast may be small or large, and any
// of the ranks keeps them.
inline std::vector<RandomMeeting> AnyMeetings(Tape& tape, int ranks) {
  constexpr int kKeys = 100;  // of groups and instances, which say who keeps a meeting
  const std::vector<int> members = AnyMembers(tape, ranks);
  const int64_t group_key = tape.Below(kKeys);
  int64_t instance_key = 0;
  std::vector<RandomMeeting> meetings;
  for (int count = 1 + tape.Below(3); count > 0; --count) {
    instance_key += 1 + tape.Below(kKeys);
    meetings.push_back(AnyMeeting(tape, members));
    meetings.back().attrs["group_key"] = group_key;
    meetings.back().attrs["instance_key"] = instance_key;
  }
  return meetings;
}

// A graph of its own for a rank: "x" is looked at, and fails with `kBadBatch` in its message where it is no number;
// then the members "m0", … come, with what is fed as "b0", ….
inline constexpr const char* kBadBatch = "a bad batch";
inline GraphDef GraphOf(const std::vector<RandomMeeting>& meetings, int rank) {
  Scope scope;
  const Output x = scope.Call("Placeholder", {}, {{"dtype", DType::kFloat}}, "x");
  const Output checked = scope.Call("CheckNumerics", {x}, {{"message", kBadBatch}}, "checked");
  for (size_t i = 0; i < meetings.size(); ++i) {
    const RandomMeeting& meeting = meetings[i];
    const Output brought = scope.Call("Placeholder", {}, {{"dtype", DType::kFloat}}, Str("b", i));
    const auto later = scope.After({checked.node()});
    if (meeting.IsBroadcast() && rank != meeting.sender) {
      scope.Call("CollectiveBcastRecv", {}, meeting.attrs, Str("m", i));
    } else {
      AttrMap attrs = meeting.attrs;
      attrs.erase("T");  // that of what it brings
      scope.Call(meeting.op, {brought}, attrs, Str("m", i));
    }
  }
  return scope.ToGraphDef();
}

// Numbers between −1 and 1, others for each rank and step.
inline Tensor BroughtBy(const RandomMeeting& meeting, int rank, int step) {
  Tensor brought(DType::kFloat, Shape{meeting.elements});
  auto drawn = static_cast<uint32_t>(1 + 1000 * rank + step);
  for (float& number : brought.mutable_data<float>()) {
    drawn = drawn * 1664525 + 1013904223;
    number = static_cast<float>(static_cast<int32_t>(drawn)) * 0x1p-31F;
  }
  return brought;
}

inline float Merged(const std::string& op, float a, float b) {
  if (op == "Add") return a + b;
  if (op == "Mul") return a * b;
  return op == "Max" ? std::max(a, b) : std::min(a, b);
}

inline Tensor Gathered(const RandomMeeting& meeting, int step) {
  Tensor all(DType::kFloat, Shape{static_cast<int64_t>(meeting.members.size()) * meeting.elements});
  auto to = all.mutable_data<float>().begin();
  for (const int rank : meeting.members) {
    const Tensor brought = BroughtBy(meeting, rank, step);
    to = std::copy(brought.data<float>().begin(), brought.data<float>().end(), to);
  }
  return all;
}

// What all members leave with, computed one element after the other (CO3–CO5).
inline Tensor ResultOf(const RandomMeeting& meeting, int step) {
  if (meeting.IsBroadcast()) return BroughtBy(meeting, meeting.sender, step);
  if (meeting.op == "CollectiveGather") return Gathered(meeting, step);
  Tensor all = BroughtBy(meeting, meeting.members[0], step);
  const auto to = all.mutable_data<float>();
  const auto& merge_op = GetAttr<std::string>(meeting.attrs, "merge_op");
  for (size_t member = 1; member < meeting.members.size(); ++member) {
    const Tensor brought = BroughtBy(meeting, meeting.members[member], step);
    for (size_t i = 0; i < to.size(); ++i) to[i] = Merged(merge_op, to[i], brought.data<float>()[i]);
  }
  const bool divides = GetAttr<std::string>(meeting.attrs, "final_op") == "Div";
  for (float& number : to) number /= divides ? static_cast<float>(meeting.members.size()) : 1;
  return all;
}

inline std::string Describe(const std::vector<RandomMeeting>& meetings) {
  std::string text;
  for (const RandomMeeting& meeting : meetings) {
    text += Str(meeting.op, " of ", meeting.elements, " floats by the ranks");
    for (const int rank : meeting.members) text += Str(" ", rank);
    if (meeting.IsBroadcast()) text += Str(", of which ", meeting.sender, " sends");
    for (const auto& [name, value] : meeting.attrs) text += Str("\n  ", name, " = ", value.ToString());
    text += "\n";
  }
  return text;
}

}  // namespace plumb::property
