// Rule A7: a type that no CPU kernel is registered for is refused when the kernel is made, before any step runs. What
// computes may take other widths of the numbers that are promised, and no other kind of element. (What moves elements
// of any type at all may move more of them.)
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "fastpath/cpu/cpu_device.h"
#include "spec/ops/catalogue.h"
#include "spec/validate/some_node_testing.h"

namespace plumb::fast::cpu {
namespace {

std::optional<Node> NodeWith(const OpDef& op, AttrMap attrs) {
  const auto node = SomeNode(op, std::move(attrs));
  return node ? std::optional(ResolveNode(*node)) : std::nullopt;
}

// By the op's factory alone: that MakeCpuKernel looks at the row first is no concern of a kernel's.
bool IsMade(const Node& node) {
  const KernelFactory make = FindCpuKernel(node.op->name);
  try {
    return make != nullptr && make(node) != nullptr;
  } catch (const Error&) {
    return false;
  }
}

bool AreAlike(DType a, DType b) {
  return a == b || (IsFloating(a) && IsFloating(b)) || (IsInteger(a) && IsInteger(b)) || (IsComplex(a) && IsComplex(b));
}

// The type for all attributes of which the row promises the same: a kernel that asks them to agree looks no further.
AttrMap ForAll(const OpDef& op, const AttrDef& attr, DType type) {
  AttrMap types;
  for (const AttrDef& other : op.attrs) {
    const bool is_type = other.kind == AttrKind::kType && !other.is_list;
    if (is_type && op.CpuTypes(other) == op.CpuTypes(attr)) types[other.name] = type;
  }
  return types;
}

TEST(KernelTypes, OtherKindsThanTheRowPromisesAreRefusedBeforeTheStep) {
  int tried = 0;
  for (const OpDef* op : AllOps()) {
    for (const AttrDef& attr : op->attrs) {
      if (attr.kind != AttrKind::kType || attr.is_list || !op->cpu_types.contains(attr.name)) continue;
      const std::vector<DType>& promised = op->CpuTypes(attr);
      const auto usual = NodeWith(*op, {{attr.name, promised.front()}});
      if (!usual || !IsMade(*usual)) continue;  // its other attributes are not free
      for (const DType type : attr.allowed_types) {
        if (std::any_of(promised.begin(), promised.end(), [&](DType known) { return AreAlike(known, type); })) continue;
        for (const AttrMap& types : {AttrMap{{attr.name, type}}, ForAll(*op, attr, type)}) {
          const auto node = NodeWith(*op, types);
          if (!node) continue;
          ++tried;
          EXPECT_FALSE(IsMade(*node)) << op->name << " with " << attr.name << "=" << DTypeName(type)
                                      << ", and as many as " << types.size() << " of that type";
        }
      }
    }
  }
  EXPECT_GT(tried, 0);
}

// Rows of these allow any type, but they add, compare or hash.
TEST(KernelTypes, WhatComputesRefusesElementsThatAreNoNumbers) {
  for (const char* op : {"ListDiff", "LowerBound", "MirrorPadGrad", "ScatterNd", "Unique", "UniqueV2", "UpperBound"}) {
    EXPECT_TRUE(IsMade(NodeWith(GetOp(op), {{"T", DType::kFloat}}).value())) << op;
    for (const DType type : {DType::kQint8, DType::kResource, DType::kVariant}) {
      EXPECT_FALSE(IsMade(NodeWith(GetOp(op), {{"T", type}}).value())) << op << " of " << DTypeName(type);
    }
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
