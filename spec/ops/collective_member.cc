#include "spec/ops/collective_member.h"

#include <algorithm>
#include <tuple>

#include "spec/core/device_name.h"
#include "spec/core/status.h"
#include "spec/graph/int32_attr.h"

namespace plumb {
namespace {

CollectiveKind KindOf(CollectiveRole role) {
  if (role == CollectiveRole::kReduces) return CollectiveKind::kReduce;
  return role == CollectiveRole::kGathers ? CollectiveKind::kGather : CollectiveKind::kBroadcast;
}

struct NamedMerge {
  std::string_view text;
  MergeOp merge;
};
constexpr NamedMerge kMerges[] = {{.text = "Min", .merge = MergeOp::kMin},
                                  {.text = "Max", .merge = MergeOp::kMax},
                                  {.text = "Mul", .merge = MergeOp::kMul},
                                  {.text = "Add", .merge = MergeOp::kAdd}};

MergeOp MergeFrom(const std::string& text) {
  for (const NamedMerge& each : kMerges) {
    if (each.text == text) return each.merge;
  }
  throw InvalidArgument("merge_op is '", text, "'; it is 'Min', 'Max', 'Mul' or 'Add'");
}

std::string_view TextOf(MergeOp merge) { return kMerges[static_cast<int>(merge)].text; }

// What other systems write there asks for nothing here, and is no error.
CollectiveHint HintFrom(const AttrMap& attrs) {
  if (!attrs.contains("communication_hint")) return CollectiveHint::kAuto;
  const auto& text = GetAttr<std::string>(attrs, "communication_hint");
  if (text == "ring") return CollectiveHint::kRing;
  if (text == "tree") return CollectiveHint::kTree;
  return text == "shared" ? CollectiveHint::kShared : CollectiveHint::kAuto;
}

// As the messages call it.
std::string KindText(const CollectiveMember& member) {
  switch (member.kind) {
    case CollectiveKind::kReduce:
      return "a reduction";
    case CollectiveKind::kGather:
      return "a gathering";
    case CollectiveKind::kBroadcast:
      break;
  }
  return "a broadcast";
}

std::string FinalOp(const CollectiveMember& member) { return member.divides ? "Div" : "Id"; }

}  // namespace

CollectiveMember MemberOf(CollectiveRole role, const AttrMap& attrs, const std::string& device) {
  CollectiveMember member;
  member.device = device;
  member.kind = KindOf(role);
  member.sends = role == CollectiveRole::kSends;
  member.group_size = Int32Attr(attrs, "group_size");
  member.group_key = Int32Attr(attrs, "group_key");
  member.instance_key = Int32Attr(attrs, "instance_key");
  member.dtype = GetAttr<DType>(attrs, "T");
  member.timeout_seconds = GetAttr<float>(attrs, "timeout_seconds");
  member.hint = HintFrom(attrs);
  Require(member.group_size >= 1, "group_size must be a positive integer, not ", member.group_size);
  if (member.kind == CollectiveKind::kReduce) {
    if (attrs.contains("subdiv_offsets")) Int32List(attrs, "subdiv_offsets");
    member.merge = MergeFrom(GetAttr<std::string>(attrs, "merge_op"));
    member.divides = GetAttr<std::string>(attrs, "final_op") != "Id";
  }
  if (member.kind == CollectiveKind::kBroadcast) {
    const auto& shape = GetAttr<PartialShape>(attrs, "shape");
    Require(shape.IsFullyDefined(), "the shape of what is broadcast must be fully known, not ", shape.ToString());
    member.shape = shape.ToShape();
  }
  return member;
}

void TakeInputShape(CollectiveMember& member, const Shape& shape) {
  if (member.kind == CollectiveKind::kGather) {
    Require(shape.rank() > 0, "what is gathered must have a dimension to be joined along, and is a scalar");
  }
  if (member.kind == CollectiveKind::kBroadcast && member.shape != shape) {  // CO5
    throw Internal("the attribute shape says ", member.shape.ToString(), ", and what is to be sent is ",
                   shape.ToString());
  }
  member.shape = shape;
}

std::string FullDevice(const std::string& request, std::string_view task) {
  DeviceName name = DeviceName::Parse(request);
  const DeviceName first = DeviceName::Parse(Str(task, "/device:CPU:0"));
  if (!name.job) name.job = first.job;
  if (!name.replica) name.replica = first.replica;
  if (!name.task) name.task = first.task;
  if (!name.type) name.type = first.type;
  if (!name.id) name.id = first.id;
  return name.ToString();
}

bool StandsBefore(std::string_view a, std::string_view b) {
  const auto parts = [](std::string_view text) {
    const DeviceName name = DeviceName::Parse(text);
    return std::tuple(name.job, name.replica, name.task, name.type, name.id);
  };
  return parts(a) < parts(b);
}

std::string WhyNotWith(const CollectiveMember& a, const CollectiveMember& b) {
  const auto differ = [&](std::string_view what, const auto& of_a, const auto& of_b) {
    return Str("members of ", MeetingName(a), " do not agree on ", what, ": ", of_a, " on ", a.device, ", ", of_b,
               " on ", b.device);
  };
  if (a.group_size != b.group_size) return differ("group_size", a.group_size, b.group_size);
  if (a.kind != b.kind) return differ("the op", KindText(a), KindText(b));
  if (a.dtype != b.dtype) return differ("the type", DTypeName(a.dtype), DTypeName(b.dtype));
  if (a.merge != b.merge) return differ("merge_op", TextOf(a.merge), TextOf(b.merge));
  if (a.divides != b.divides) return differ("final_op", FinalOp(a), FinalOp(b));
  if (!(a.shape == b.shape)) return differ("the shape", a.shape.ToString(), b.shape.ToString());
  if (a.sends && b.sends) return Str("in ", MeetingName(a), " both ", a.device, " and ", b.device, " send");
  return "";
}

std::string WhyIncomplete(std::span<const CollectiveMember> members) {
  const bool has_input = std::any_of(members.begin(), members.end(), [](const auto& m) { return m.BringsInput(); });
  return has_input ? "" : Str("in ", MeetingName(members[0]), " all ", members.size(), " receive, and nobody sends");
}

std::string MeetingName(const CollectiveMember& member) {
  return Str("the group ", member.group_key, " (instance ", member.instance_key, ")");
}

std::string WhoIsThere(std::span<const CollectiveMember> members) {
  std::string text =
      Str(members.size(), " of ", members[0].group_size, " members of ", MeetingName(members[0]), " are there");
  for (size_t i = 0; i < members.size(); ++i) text += Str(i == 0 ? ": " : ", ", members[i].device);
  return text;
}

std::string WhoHasGone(const CollectiveMember& member) {
  return Str("the step of ", member.device, " ended before all ", member.group_size, " members of ",
             MeetingName(member), " had come");
}

bool IsLimited(const CollectiveMember& member) {
  constexpr double kYear = 366 * 24 * 3600.0;
  return member.timeout_seconds > 0 && member.timeout_seconds < kYear;
}

std::string WhoIsThereInTime(const CollectiveMember& late, std::span<const CollectiveMember> members) {
  return Str("after ", late.timeout_seconds, " s (timeout_seconds of the member on ", late.device, ") ",
             WhoIsThere(members));
}

}  // namespace plumb
