// What tables and vocabularies read from files of lines (rule L3), on both sides, as TensorFlow answers.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "backends/backends.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"
#include "spec/graph/function_testing.h"

namespace plumb::conformance {
namespace {

constexpr int64_t kLine = -2, kNumber = -1;

AttrMap Fields(int64_t key, int64_t value, AttrMap more = {}) {
  more.insert({{"key_index", key}, {"value_index", value}});
  return more;
}

class TextFiles : public ::testing::TestWithParam<std::string_view> {
 protected:
  std::string Write(std::string_view text) {
    const std::string path = Str(folder_.path(), "/", ++files_);
    Files().Write(path, text);
    return path;
  }

  // A new table, of a new session.
  void OpenTable(DType key_type, DType value_type) {
    session_ = OpenSession(GetParam());
    Add({MakeNode("table", "HashTableV2", {}, {{"key_dtype", key_type}, {"value_dtype", value_type}}),
         MakeNode("pairs", "LookupTableExportV2", {"table"}, {{"Tkeys", key_type}, {"Tvalues", value_type}})});
  }
  // Initialises it from a file with this content.
  Code Fill(std::string_view text, AttrMap attrs) { return FillFrom(Write(text), std::move(attrs)); }
  Code FillFrom(const std::string& path, AttrMap attrs) {
    const std::string name = Str("fill_", ++fills_);
    Add({MakeConst(name + "_path", MakeScalar(path)),
         MakeNode(name, "InitializeTableFromTextFileV2", {"table", name + "_path"}, std::move(attrs))});
    const std::vector<std::string> targets = {name};
    std::vector<Tensor> none;
    return session_->Run({}, {}, targets, &none).code();
  }
  template <class Key, class Value>
  std::map<Key, Value> Pairs() {
    const std::vector<std::string> fetches = {"pairs:0", "pairs:1"};
    std::vector<Tensor> pairs;
    EXPECT_EQ(session_->Run({}, fetches, {}, &pairs).ToString(), "OK");
    std::map<Key, Value> result;
    for (int64_t i = 0; pairs.size() == 2 && i < pairs[0].elements(); ++i) {
      result.emplace(pairs[0].data<Key>()[i], pairs[1].data<Value>()[i]);
    }
    return result;
  }

  // The lines of a file, by their numbers.
  using Lines = std::map<int64_t, std::string>;
  Lines LinesOf(std::string_view text) {
    OpenTable(DType::kInt64, DType::kString);
    EXPECT_EQ(Fill(text, Fields(kNumber, kLine)), Code::kOk);
    return Pairs<int64_t, std::string>();
  }
  Code CodeOfLines(std::string_view text, int64_t vocab_size = -1) {
    OpenTable(DType::kString, DType::kInt64);
    return Fill(text, Fields(kLine, kNumber, {{"vocab_size", vocab_size}}));
  }

  // What a field says, or nothing where it is refused.
  template <class T>
  std::optional<T> Read(std::string_view field, int64_t offset = 0) {
    OpenTable(DType::kString, DTypeOf<T>);
    const Code code = Fill(Str("a,", field, "\n"), Fields(0, 1, {{"delimiter", ","}, {"offset", offset}}));
    if (code == Code::kOk) return Pairs<std::string, T>().at("a");
    EXPECT_EQ(code, Code::kInvalidArgument) << field;
    return std::nullopt;
  }
  template <class T>
  void ExpectFloats() {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    const std::map<std::string, T> numbers = {
        {" 1.5", 1.5},
        {"\t1.5\v", 1.5},
        {"+1.5", 1.5},
        {"-1.5", -1.5},
        {".5", 0.5},
        {"5.", 5},
        {"1e5 ", 1e5},
        {"0x10", 16},
        {"-0x10", -16},
        {"INF", kInfinity},
        {"+inf", kInfinity},
        {"-inf", -kInfinity},
        {"1e999", kInfinity},
        {"1e-999", 0},
        {" ", 0},
        {std::string("1.5\0x", 5), 1.5},
        {std::string(29, '0') + "15", 15},
    };
    for (const auto& [text, number] : numbers) EXPECT_EQ(Read<T>(text), number) << text;
    EXPECT_TRUE(std::isnan(Read<T>("NaN").value_or(0)));
    for (const char* text : {"+-1.5", "0x1p3", "0x1.8", "0x", "infinity", "nan(1)", "", ".", "1e", "1.5f", "1_0"}) {
      EXPECT_EQ(Read<T>(text), std::nullopt) << text;
    }
    EXPECT_EQ(Read<T>(std::string(30, '0') + "15"), std::nullopt) << "32 bytes";
  }

  // The places of the words of one file in another.
  Code Remap(std::string_view words, std::string_view old_words, int64_t count, int64_t old_size,
             std::vector<int64_t>* places = nullptr) {
    session_ = OpenSession(GetParam());
    Add({MakeConst("new", MakeScalar(Write(words))), MakeConst("old", MakeScalar(Write(old_words))),
         MakeNode("remap", "GenerateVocabRemapping", {"new", "old"},
                  {{"new_vocab_offset", 0}, {"num_new_vocab", count}, {"old_vocab_size", old_size}})});
    const std::vector<std::string> fetches = {"remap:0"};
    std::vector<Tensor> found;
    const Code code = session_->Run({}, fetches, {}, &found).code();
    if (code == Code::kOk && places != nullptr) {
      places->assign(found[0].data<int64_t>().begin(), found[0].data<int64_t>().end());
    }
    return code;
  }
  std::vector<int64_t> Remapped(std::string_view words, std::string_view old_words, int64_t count) {
    std::vector<int64_t> places;
    EXPECT_EQ(Remap(words, old_words, count, -1, &places), Code::kOk);
    return places;
  }

 private:
  void Add(std::vector<NodeDef> nodes) { EXPECT_EQ(session_->Extend(MakeGraph(std::move(nodes))).ToString(), "OK"); }

  const TemporaryFolder folder_;
  std::unique_ptr<Session> session_;
  int files_ = 0, fills_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Backends, TextFiles, ::testing::Values("reference", "cpu"));

TEST_P(TextFiles, ALineEndsWithOneReturnAtMost) {
  EXPECT_EQ(LinesOf("a\r\nb\r\n"), Lines({{0, "a"}, {1, "b"}}));
  EXPECT_EQ(LinesOf("a\rb\r\n"), Lines({{0, "a\rb"}}));
  EXPECT_EQ(LinesOf("a\r\r\nb"), Lines({{0, "a\r"}, {1, "b"}}));
  EXPECT_EQ(LinesOf("\ra\n"), Lines({{0, "\ra"}}));
  EXPECT_EQ(LinesOf("a\n\rb"), Lines({{0, "a"}, {1, "\rb"}}));
  EXPECT_EQ(LinesOf("a\r"), Lines({{0, "a"}}));
  EXPECT_EQ(LinesOf("a\n\r"), Lines({{0, "a"}}));
  EXPECT_EQ(LinesOf("a\n\r\r"), Lines({{0, "a"}, {1, "\r"}}));
  EXPECT_EQ(CodeOfLines("a\n\r\n"), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfLines("\r\n"), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfLines("\r"), Code::kOutOfRange);
}

TEST_P(TextFiles, ReadWholeNumbersAsStringToNumber) {
  for (const char* five : {"5", " 5", "5 ", "\t5\t", "\v5\f", "005", "5\r"}) {
    EXPECT_EQ(Read<int32_t>(five), 5) << five;
    EXPECT_EQ(Read<int64_t>(five), 5) << five;
  }
  const std::string five_of_more("5\0x", 3), nothing(1, '\0');
  EXPECT_EQ(Read<int32_t>(five_of_more), 5);
  EXPECT_EQ(Read<int64_t>(five_of_more), 5);
  for (const std::string& none : {nothing, std::string("+5"), std::string("- 5"), std::string(), std::string(" "),
                                  std::string("0x10"), std::string("5."), std::string("1e1"), std::string("5 6")}) {
    EXPECT_EQ(Read<int32_t>(none), std::nullopt) << none;
    EXPECT_EQ(Read<int64_t>(none), std::nullopt) << none;
  }
  EXPECT_EQ(Read<int32_t>("-2147483648"), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(Read<int32_t>("2147483648"), std::nullopt);
  EXPECT_EQ(Read<int64_t>("-9223372036854775808"), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(Read<int64_t>("9223372036854775808"), std::nullopt);
}

TEST_P(TextFiles, ReadFloatsAsStringToNumber) { ExpectFloats<float>(); }
TEST_P(TextFiles, ReadDoublesAsStringToNumber) { ExpectFloats<double>(); }

TEST_P(TextFiles, AWholeLineIsAWholeNumberOnBothSidesOfAPair) {
  OpenTable(DType::kInt64, DType::kInt64);
  EXPECT_EQ(Fill("7\n 8 \n", Fields(kLine, kLine)), Code::kOk);
  EXPECT_EQ((Pairs<int64_t, int64_t>()), (std::map<int64_t, int64_t>{{7, 7}, {8, 8}}));
  OpenTable(DType::kString, DType::kInt32);
  EXPECT_EQ(Fill("7\n 8 \n", Fields(kLine, kLine)), Code::kOk);
  EXPECT_EQ((Pairs<std::string, int32_t>()), (std::map<std::string, int32_t>{{"7", 7}, {" 8 ", 8}}));
  OpenTable(DType::kString, DType::kInt32);
  EXPECT_EQ(Fill("x\n", Fields(kLine, kLine)), Code::kInvalidArgument);
  for (const DType type : {DType::kFloat, DType::kDouble, DType::kBool}) {
    OpenTable(DType::kString, type);
    EXPECT_EQ(Fill("1\n", Fields(kLine, kLine)), Code::kInvalidArgument) << DTypeName(type);
  }
}

TEST_P(TextFiles, AnOffsetIsAddedToInt32AndToNumbersOfLines) {
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max(), kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(Read<int32_t>("8", 100), 108);
  EXPECT_EQ(Read<int64_t>("8", 100), 8);
  EXPECT_EQ(Read<float>("8", 100), 8);
  EXPECT_EQ(Read<double>("8", 100), 8);
  EXPECT_EQ(Read<std::string>("8", 100), "8");
  EXPECT_EQ(Read<int32_t>("2147483647", 1), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(Read<int32_t>("2147483647", (int64_t{1} << 32) + 3), -2147483646);
  EXPECT_EQ(Read<int32_t>("2147483647", kLeast), 2147483647);
  EXPECT_EQ(Read<int32_t>("2147483647", kLargest), 2147483646);
  OpenTable(DType::kInt32, DType::kInt32);
  EXPECT_EQ(Fill("7\n9\n", Fields(kLine, kLine, {{"offset", 100}})), Code::kOk);
  EXPECT_EQ((Pairs<int32_t, int32_t>()), (std::map<int32_t, int32_t>{{107, 107}, {109, 109}}));
  OpenTable(DType::kString, DType::kInt64);
  EXPECT_EQ(Fill("a\nb\n", Fields(kLine, kNumber, {{"offset", kLargest}})), Code::kOk);
  EXPECT_EQ((Pairs<std::string, int64_t>()), (std::map<std::string, int64_t>{{"a", kLargest}, {"b", kLeast}}));
}

TEST_P(TextFiles, HaveToHaveAsManyLinesAsAreWanted) {
  for (const char* text : {"", "\r", "a\n", "\n", "a\n\n", "a\na\n"}) {
    EXPECT_EQ(CodeOfLines(text, 0), Code::kOutOfRange) << text;
  }
  for (const char* empty : {"", "\r"}) {
    EXPECT_EQ(CodeOfLines(empty, -1), Code::kOutOfRange);
    EXPECT_EQ(CodeOfLines(empty, 1), Code::kInvalidArgument);
  }
  EXPECT_EQ(CodeOfLines("a\n", 1), Code::kOk);
  EXPECT_EQ(CodeOfLines("a\n", 2), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfLines("a\n\n", 1), Code::kOk);
  EXPECT_EQ(CodeOfLines("a\na\n", 1), Code::kOk);
  EXPECT_EQ(CodeOfLines("a\na\n", 3), Code::kFailedPrecondition);
}

TEST_P(TextFiles, AreReadUpToTheFirstLineForAFullTable) {
  OpenTable(DType::kString, DType::kInt64);
  const auto again = [&](const char* text, int64_t vocab_size = -1) {
    return Fill(text, Fields(kLine, kNumber, {{"vocab_size", vocab_size}}));
  };
  ASSERT_EQ(again("a\nb\n"), Code::kOk);
  for (const char* text : {"x\n\n", "x\ny\nz\n"}) EXPECT_EQ(again(text), Code::kOk) << text;
  EXPECT_EQ(again("x\n", 9), Code::kOk);
  EXPECT_EQ(again(""), Code::kOutOfRange);
  EXPECT_EQ(again("\r"), Code::kOutOfRange);
  EXPECT_EQ(again("", 2), Code::kInvalidArgument);
  for (const char* text : {"", "a\n", "\n"}) EXPECT_EQ(again(text, 0), Code::kOutOfRange) << text;
  EXPECT_EQ(again("\nb\n"), Code::kInvalidArgument);
  EXPECT_EQ(Fill("a\n", Fields(0, 1)), Code::kInvalidArgument);
  EXPECT_EQ(Fill("a\tx\n", Fields(0, 1)), Code::kInvalidArgument);
  EXPECT_EQ(Fill("a\t1\nb\tx\n", Fields(0, 1)), Code::kOk);
  EXPECT_EQ(FillFrom("/nowhere/at/all", Fields(kLine, kNumber)), Code::kNotFound);
  EXPECT_EQ((Pairs<std::string, int64_t>()), (std::map<std::string, int64_t>{{"a", 0}, {"b", 1}}));
}

TEST_P(TextFiles, LeaveWhatWasReadBeforeABadLine) {  // L2
  OpenTable(DType::kString, DType::kInt64);
  EXPECT_EQ(Fill("a\nb\n\n", Fields(kLine, kNumber)), Code::kInvalidArgument);
  EXPECT_EQ(Fill("b\n", Fields(kLine, kNumber)), Code::kFailedPrecondition);
  EXPECT_EQ(Fill("a\nb\nc\n", Fields(kLine, kNumber)), Code::kOk);
  EXPECT_EQ((Pairs<std::string, int64_t>()), (std::map<std::string, int64_t>{{"a", 0}, {"b", 1}, {"c", 2}}));
}

TEST_P(TextFiles, AreVocabularies) {
  using Places = std::vector<int64_t>;
  EXPECT_EQ(Remapped("a\r\nb\r", "b\na\n", 2), Places({1, 0}));
  EXPECT_EQ(Remapped("a\r\r\nb\n", "a\r\nb\n", 2), Places({-1, 1}));
  EXPECT_EQ(Remapped("a\r\r\nb\n", "a\r\r\nb\n", 2), Places({0, 1}));
  EXPECT_EQ(Remapped("a\rb\nb\n", "ab\nb\n", 2), Places({-1, 1}));
  EXPECT_EQ(Remapped("a\n\r", "a\n\r", 1), Places({0}));
  EXPECT_EQ(Remap("a\n\r", "a\n\r", 2, -1), Code::kInvalidArgument);
  for (const char* old_words : {"", "a\n", "\n"}) EXPECT_EQ(Remap("a\n", old_words, 1, 0), Code::kOutOfRange);
  EXPECT_EQ(Remap("a\n", "", 1, -1), Code::kOutOfRange);
  for (const char* old_words : {"", "\r", "a\n"}) EXPECT_EQ(Remap("a\n", old_words, 1, 2), Code::kInvalidArgument);
  EXPECT_EQ(Remap("a\n", "a\n\n", 1, 1), Code::kOk);
  EXPECT_EQ(Remap("a\n", "a\na\n", 1, 3), Code::kFailedPrecondition);
  EXPECT_EQ(Remap("", "a\n", 0, -1), Code::kOutOfRange);
}

}  // namespace
}  // namespace plumb::conformance
