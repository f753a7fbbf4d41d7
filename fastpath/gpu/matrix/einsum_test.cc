#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

Question Summing(const std::string& equation, const std::vector<Tensor>& operands) {
  return {
      "Einsum", operands, {{"equation", equation}, {"N", static_cast<int64_t>(operands.size())}, {"T", DType::kFloat}}};
}

// Whole numbers whose sums are exact. Products of matrices as they lie and turned, batches that broadcast, diagonals,
// sums over what one operand alone has, and results with an axis twice.
TEST(GpuEinsum, IsThatOfTheCpu) {
  ExpectSameOnBoth(Summing("ij,jk->ik", {Digits({70, 40}), Digits({40, 33})}));
  ExpectSameOnBoth(Summing("bji,bkj->bik", {Digits({5, 40, 7}), Digits({5, 9, 40})}));
  ExpectSameOnBoth(Summing("...ij,...jk->k...i", {Digits({3, 1, 7, 8}), Digits({4, 8, 6})}));
  ExpectSameOnBoth(Summing("aabc,bd->da", {Digits({6, 6, 4, 50}), Digits({4, 5})}));
  ExpectSameOnBoth(Summing("ab->a", {Digits({3, 9000})}));
  ExpectSameOnBoth(Summing("i->iii", {Digits({7})}));
  ExpectSameOnBoth(Summing("ij,jk->ik", {Digits({3, 0}), Digits({0, 4})}));
}

TEST(GpuEinsum, RefusesAxesThatDoNotGoTogether) {
  EXPECT_EQ(StatusOf(Summing("ij,jk->ik", {Digits({3, 4}), Digits({5, 6})})).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
