// Rule A7: a type that no CPU kernel is registered for is refused when the kernel is made, before any step runs. What
// computes may take other widths of the numbers that are promised, and no other kind of element. (What moves elements
// of any type at all may move more of them.)
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "fastpath/cpu/cpu_device.h"
#include "spec/ops/catalogue.h"
#include "spec/validate/signatures.h"

namespace plumb::fast::cpu {
namespace {

std::optional<AttrValue> SomeValue(const OpDef& op, const AttrDef& attr) {
  if (attr.default_value) return attr.default_value;
  if (attr.is_list) return AttrValue(EmptyList());
  const std::vector<DType>& types = op.CpuTypes(attr);
  switch (attr.kind) {
    case AttrKind::kType:
      return types.empty() ? DType::kFloat : types.front();
    case AttrKind::kInt:
      return std::max<int64_t>(1, attr.minimum.value_or(1));
    case AttrKind::kBool:
      return false;
    case AttrKind::kFloat:
      return 1.0F;
    case AttrKind::kString:
      return attr.allowed_strings.empty() ? std::string("some") : attr.allowed_strings.front();
    case AttrKind::kShape:
      return PartialShape({1});
    default:
      return std::nullopt;
  }
}

// A node with these attributes and any others; none where that is more than this test can tell.
std::optional<Node> NodeWith(const OpDef& op, AttrMap attrs) {
  for (const AttrDef& attr : op.attrs) {
    if (attrs.contains(attr.name)) continue;
    const auto value = SomeValue(op, attr);
    if (!value) return std::nullopt;
    attrs[attr.name] = *value;
  }
  NodeDef def;
  def.name = "node";
  def.op = op.name;
  def.attrs = std::move(attrs);
  try {
    return ResolveNode(def);
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool IsMade(const Node& node) {
  try {
    MakeCpuKernel(node);
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool AreAlike(DType a, DType b) {
  return a == b || (IsFloating(a) && IsFloating(b)) || (IsInteger(a) && IsInteger(b)) || (IsComplex(a) && IsComplex(b));
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
        const auto node = NodeWith(*op, {{attr.name, type}});
        if (!node) continue;
        ++tried;
        EXPECT_FALSE(IsMade(*node)) << op->name << " with " << attr.name << "=" << DTypeName(type);
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
