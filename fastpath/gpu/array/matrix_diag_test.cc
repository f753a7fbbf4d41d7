#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

// No rule says the shapes of the older names: kernels find them, and refuse what rules of the newer ones refuse.
TEST(GpuMatrixDiag, OlderNamesFindTheirShapes) {
  const AttrMap attrs = {{"T", DType::kFloat}};
  ExpectSameOnBoth({"BatchMatrixDiag", {Digits(Shape({3, 4}))}, attrs});
  ExpectSameOnBoth({"BatchMatrixDiag", {Digits(Shape({2, 0}))}, attrs});
  ExpectSameOnBoth({"BatchMatrixDiagPart", {Digits(Shape({3, 4, 5}))}, attrs});
  ExpectSameOnBoth({"BatchMatrixDiagPart", {Digits(Shape({5, 4}))}, attrs});
  ExpectSameOnBoth({"BatchMatrixSetDiag", {Digits(Shape({3, 4, 5})), Digits(Shape({3, 4}))}, attrs});
  EXPECT_EQ(StatusOf({"BatchMatrixDiag", {Digits(Shape())}, attrs}).code(), Code::kInvalidArgument);
  EXPECT_EQ(StatusOf({"BatchMatrixDiagPart", {Digits(Shape({3}))}, attrs}).code(), Code::kInvalidArgument);
  EXPECT_EQ(StatusOf({"BatchMatrixSetDiag", {Digits(Shape({3})), Digits(Shape({3}))}, attrs}).code(),
            Code::kInvalidArgument);
  EXPECT_EQ(StatusOf({"BatchMatrixSetDiag", {Digits(Shape({3, 4})), Digits(Shape({4}))}, attrs}).code(),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
