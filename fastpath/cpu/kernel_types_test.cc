// Rule A7: a type that no CPU kernel is registered for is refused when the kernel is made, before any step runs. The
// row says the types, and MakeCpuKernel asks it, so that a kernel looks no further than for types that go together.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "fastpath/cpu/cpu_device.h"
#include "spec/ops/catalogue.h"
#include "spec/validate/some_node_testing.h"

namespace plumb::fast {
namespace {

// Whether a kernel of the op is refused for the want of one, on a node with these attributes and any others.
bool HasNoKernel(const OpDef& op, AttrMap attrs) {
  const auto node = SomeNode(op, std::move(attrs));
  if (!node) return false;
  try {
    MakeCpuKernel(ResolveNode(*node));
  } catch (const Error& error) {
    return error.status().reason() == Reason::kNoKernel;
  }
  return false;
}

void ForEachTypeOf(const OpDef& op, const std::function<void(const AttrDef& attr)>& visit) {
  if (FindCpuKernel(op.name) == nullptr) return;
  for (const AttrDef& attr : op.attrs) {
    if (attr.kind == AttrKind::kType && !attr.is_list) visit(attr);
  }
}

TEST(KernelTypes, TypesThatTheRowDoesNotPromiseAreRefusedBeforeTheStep) {
  int tried = 0;
  for (const OpDef* op : AllOps()) {
    ForEachTypeOf(*op, [&](const AttrDef& attr) {
      const std::vector<DType>& promised = op->CpuTypes(attr);
      for (const DType type : attr.allowed_types) {
        const bool is_promised = std::find(promised.begin(), promised.end(), type) != promised.end();
        if (promised.empty() || is_promised || !SomeNode(*op, {{attr.name, type}})) continue;
        ++tried;
        EXPECT_TRUE(HasNoKernel(*op, {{attr.name, type}}))
            << op->name << " with " << attr.name << "=" << DTypeName(type);
      }
    });
  }
  EXPECT_GT(tried, 0);
}

TEST(KernelTypes, TypesThatDoNotGoTogetherAreRefusedBeforeTheStep) {
  const auto kFloat = DType::kFloat, kDouble = DType::kDouble, kWide = DType::kComplex128, kNarrow = DType::kComplex64;
  const auto kInt8 = DType::kQint8, kUint8 = DType::kQuint8;
  EXPECT_TRUE(HasNoKernel(GetOp("Real"), {{"T", kWide}, {"Tout", kFloat}}));
  EXPECT_FALSE(HasNoKernel(GetOp("Real"), {{"T", kWide}, {"Tout", kDouble}}));
  EXPECT_TRUE(HasNoKernel(GetOp("Complex"), {{"T", kFloat}, {"Tout", kWide}}));
  EXPECT_FALSE(HasNoKernel(GetOp("Complex"), {{"T", kFloat}, {"Tout", kNarrow}}));
  EXPECT_TRUE(HasNoKernel(GetOp("RFFT"), {{"Treal", kFloat}, {"Tcomplex", kWide}}));
  EXPECT_TRUE(HasNoKernel(GetOp("IRFFT"), {{"Treal", kDouble}, {"Tcomplex", kNarrow}}));
  EXPECT_FALSE(HasNoKernel(GetOp("IRFFT"), {{"Treal", kDouble}, {"Tcomplex", kWide}}));
  EXPECT_TRUE(HasNoKernel(GetOp("Eig"), {{"T", kFloat}, {"Tout", kWide}}));
  EXPECT_TRUE(HasNoKernel(GetOp("BatchMatMulV3"), {{"Ta", kFloat}, {"Tb", kFloat}, {"Tout", kDouble}}));
  EXPECT_TRUE(HasNoKernel(GetOp("QuantizedRelu"), {{"Tinput", kUint8}, {"out_type", DType::kQint32}}));
  EXPECT_TRUE(HasNoKernel(GetOp("QuantizedBiasAdd"), {{"T1", kInt8}, {"T2", kUint8}, {"out_type", DType::kQint32}}));
  EXPECT_TRUE(HasNoKernel(GetOp("Fingerprint"), {{"T", DType::kVariant}}));
  EXPECT_FALSE(HasNoKernel(GetOp("Fingerprint"), {{"T", DType::kString}}));
}

}  // namespace
}  // namespace plumb::fast
