#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Tensor Text(std::string text) { return MakeScalar(std::move(text)); }
Tensor Texts(std::initializer_list<std::string> texts) { return MakeVector<std::string>(texts); }

std::vector<std::string> Strings(const Value& value) {
  const auto data = value.tensor.data<std::string>();
  return {data.begin(), data.end()};
}

TEST(StringJoin, JoinsElementByElement) {
  const AttrMap dash = {{"separator", "-"}};
  EXPECT_THAT(Strings(KernelCall{"StringJoin", {Texts({"a", "b"}), Texts({"c", ""})}, dash}()),
              ElementsAre("a-c", "b-"));
  EXPECT_THAT(Strings(KernelCall{"StringJoin", {Text("x"), Texts({"a", "b"}), Text("y")}, dash}()),
              ElementsAre("x-a-y", "x-b-y"));
  const Value scalars = KernelCall{"StringJoin", {Text("x"), Text("y")}, {{"separator", ""}}}();
  EXPECT_EQ(scalars.tensor.scalar<std::string>(), "xy");
  EXPECT_EQ(scalars.tensor.rank(), 0);
  EXPECT_EQ((KernelCall{"StringJoin", {Texts({"a", "b"}), Texts({"c"})}, dash}.Fails()), Code::kInvalidArgument);
}

struct Pieces {
  std::vector<int64_t> indices, shape;
  std::vector<std::string> values;
};

Pieces Split(std::string_view op, Tensor texts, std::string separator, AttrMap attrs) {
  const KernelCall call{op,
                        {std::move(texts), Text(std::move(separator))},
                        std::move(attrs),
                        {DType::kInt64, DType::kString, DType::kInt64}};
  const auto outputs = call.Run();
  return {Integers(outputs[0]), Integers(outputs[2]), Strings(outputs[1])};
}
std::vector<std::string> Cut(std::string text, std::string separator, int max_cuts = -1) {
  return Split("StringSplitV2", Texts({std::move(text)}), std::move(separator), {{"maxsplit", max_cuts}}).values;
}
std::vector<std::string> CutOld(std::string text, std::string delimiters, bool skip_empty) {
  return Split("StringSplit", Texts({std::move(text)}), std::move(delimiters), {{"skip_empty", skip_empty}}).values;
}

TEST(StringSplit, GivesASparseMatrix) {
  const Pieces pieces = Split("StringSplitV2", Texts({"a b", "", "c"}), "", {{"maxsplit", -1}});
  EXPECT_THAT(pieces.indices, ElementsAre(0, 0, 0, 1, 2, 0));
  EXPECT_THAT(pieces.values, ElementsAre("a", "b", "c"));
  EXPECT_THAT(pieces.shape, ElementsAre(3, 2));
  const KernelCall matrix{"StringSplitV2", {MakeTensor<std::string>({1, 1}, {"a"}), Text("")}, {{"maxsplit", -1}}};
  EXPECT_EQ(matrix.Fails(), Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"StringSplitV2", {Texts({"a"}), Texts({""})}, {{"maxsplit", -1}}}.Fails()),
            Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"StringSplitV2", {Texts({"a"}), Text("")}, {{"maxsplit", int64_t{1} << 31}}}.Fails()),
            Code::kInvalidArgument);
}

TEST(StringSplit, CutsAtASeparator) {
  EXPECT_THAT(Cut("1<>2<><>3", "<>"), ElementsAre("1", "2", "", "3"));
  EXPECT_THAT(Cut("", ","), ElementsAre(""));
  EXPECT_THAT(Cut(",", ","), ElementsAre("", ""));
  EXPECT_THAT(Cut("1,2,3", ",", 1), ElementsAre("1", "2,3"));
  EXPECT_THAT(Cut("1,2", ",", 1), ElementsAre("1", "2"));
  EXPECT_THAT(Cut("1,2,3", ",", 0), ElementsAre("1,2,3"));
  EXPECT_THAT(Cut("aaa", "aa"), ElementsAre("", "a"));
}

TEST(StringSplit, CutsAtWhiteSpace) {
  EXPECT_THAT(Cut("  1 \t2\r\n 3 ", ""), ElementsAre("1", "2", "3"));
  EXPECT_THAT(Cut("  ", ""), IsEmpty());
  EXPECT_THAT(Cut(" 1  2 3 ", "", 1), ElementsAre("1", "2 3 "));
  EXPECT_THAT(Cut("1 ", "", 1), ElementsAre("1", ""));  // what is left is a piece
  EXPECT_THAT(Cut(" 1 ", "", 0), ElementsAre(" 1 "));
}

TEST(StringSplit, TheOldFormCutsAtAnyOfSeveralBytes) {
  EXPECT_THAT(CutOld("hello.cruel,world", ".,", true), ElementsAre("hello", "cruel", "world"));
  EXPECT_THAT(CutOld("a,,b,", ",", true), ElementsAre("a", "b"));
  EXPECT_THAT(CutOld("a,,b,", ",", false), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(CutOld("", ",", false), IsEmpty());
  EXPECT_THAT(CutOld("abc", "", true), ElementsAre("a", "b", "c"));
}

}  // namespace
}  // namespace plumb::reference
