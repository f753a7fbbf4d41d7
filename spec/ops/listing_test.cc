#include "spec/ops/listing.h"

#include <gtest/gtest.h>

#include "spec/ops/catalogue.h"

namespace plumb {
namespace {

Implementations OnlyMatMulOnTheReference() {
  return {.reference = [](std::string_view op) { return op == "MatMul"; }, .cpu = {}, .gpu = {}};
}

std::string LineWith(const std::string& text, std::string_view part) {
  const size_t at = text.find(part);
  if (at == std::string::npos) return "";
  const size_t begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

TEST(Listing, SetsOfTypesGoByTheirNames) {
  EXPECT_EQ(TypesText(*GetOp("Exp").FindAttr("T")), "floats, complexes");
  EXPECT_EQ(TypesText(*GetOp("Sum").FindAttr("T")), "numbers, quantized");
  EXPECT_EQ(TypesText(*GetOp("CountUpTo").FindAttr("T")), "int32, int64");
  EXPECT_EQ(TypesText(*GetOp("Identity").FindAttr("T")), "any");
}

TEST(Listing, ThePageHasARowForEveryOp) {
  const std::string page = OpsMarkdown(OnlyMatMulOnTheReference());
  for (const OpDef* op : AllOps()) EXPECT_NE(LineWith(page, "| `" + op->name + "("), "") << op->name;
  const std::string row = LineWith(page, "| `MatMul(");
  EXPECT_TRUE(row.ends_with(" | yes | ✓ |  |  |")) << row;
  EXPECT_TRUE(LineWith(page, "| `Shape(").ends_with(" | blocks |  |  |  |"));
  EXPECT_TRUE(LineWith(page, "| `Switch(").ends_with(" | by control flow |  |  |  |"));
}

TEST(Listing, JsonNamesWhereAnOpIsImplemented) {
  const std::string json = OpsJson(OnlyMatMulOnTheReference());
  const size_t at = json.find("{\"name\": \"MatMul\", \"family\": \"matrix\"");
  ASSERT_NE(at, std::string::npos);
  const std::string entry = json.substr(at, json.find('}', json.find("\"doc\"", at)) - at);
  EXPECT_NE(entry.find("\"gradient\": \"yes\", \"stateful\": false"), std::string::npos) << entry;
  EXPECT_NE(entry.find("\"reference\": true, \"cpu\": false, \"gpu\": false"), std::string::npos);
  EXPECT_NE(entry.find("\"T\": [\"float16\", "), std::string::npos) << entry;
}

TEST(Listing, DeprecatedOpsSaySo) {
  EXPECT_NE(LineWith(OpsMarkdown({}), "| `TileGrad(").find(" Deprecated from producer 3 on: "), std::string::npos);
  const std::string json = OpsJson({});
  const auto entry = [&](const std::string& op) {
    const size_t at = json.find("{\"name\": \"" + op + "\"");
    return json.substr(at, json.find("\"reference\"", at) - at);
  };
  EXPECT_NE(entry("TileGrad").find("\"deprecated\": {\"version\": 3, \"explanation\": \""), std::string::npos);
  EXPECT_NE(entry("Tile").find("\"deprecated\": null"), std::string::npos);
}

TEST(Listing, TraitsStandBehindTheFlags) {
  const std::string page = OpsMarkdown({}), json = OpsJson({});
  EXPECT_EQ(SignatureAndTraits(GetOp("AssignAdd")),
            "AssignAdd(ref: ref T, value: T) -> (output_ref: ref T) adds updates_whole");
  EXPECT_NE(LineWith(page, "| `AssignAdd(").find("(output_ref: ref T) adds updates_whole` | "), std::string::npos);
  EXPECT_NE(LineWith(page, "| `MatMul(").find("-> (product: T)` | "), std::string::npos);
  const size_t at = json.find("{\"name\": \"AssignAdd\"");
  EXPECT_NE(json.substr(at, json.find("\"reference\"", at) - at).find("\"traits\": [\"adds\", \"updates_whole\"]"),
            std::string::npos);
  EXPECT_NE(json.find("\"traits\": []"), std::string::npos);
}

TEST(Listing, JsonIsWellFormed) {
  const std::string json = OpsJson({});
  EXPECT_EQ(json.front(), '[');
  int depth = 0;
  bool in_text = false;
  for (size_t i = 0; i < json.size(); ++i) {
    if (in_text && json[i] == '\\') {
      ++i;
    } else if (json[i] == '"') {
      in_text = !in_text;
    } else if (in_text) {
      EXPECT_GE(static_cast<unsigned char>(json[i]), 0x20);
    } else if (json[i] == '{' || json[i] == '[') {
      ++depth;
    } else if (json[i] == '}' || json[i] == ']') {
      --depth;
    }
  }
  EXPECT_EQ(depth, 0);
  EXPECT_FALSE(in_text);
}

}  // namespace
}  // namespace plumb
