// Which types a backend has to take, and that the rows have samples for them.
#include "conformance/suites/variants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "backends/backends.h"
#include "spec/ops/catalogue.h"
#include "spec/samples/sample.h"

namespace plumb::conformance {
namespace {

using testing::Contains;
using testing::Not;
using testing::UnorderedElementsAre;

std::vector<DType> Declared(const char* op, const char* attr) {
  return DeclaredTypes(GetOp(op), *GetOp(op).FindAttr(attr));
}
Backend Ours() {
  return {"cpu", [] { return OpenSession("cpu"); }, [](std::string_view) { return true; }};
}

TEST(Variants, WhatARowLeavesOpenIsDeclared) {
  for (const DType type : {DType::kFloat, DType::kBool, DType::kBfloat16, DType::kUint64, DType::kString}) {
    EXPECT_THAT(Declared("Reshape", "T"), Contains(type));
    EXPECT_TRUE(IsDeclared(GetOp("Reshape"), {{"T", type}, {"Tshape", DType::kInt64}}, Ours())) << DTypeName(type);
  }
  EXPECT_EQ(Declared("Reshape", "T").size(), 16u);  // what the suite draws: numbers, bool and string
}

TEST(Variants, TheCpuColumnAndTheAttributeLimitEachOther) {
  EXPECT_THAT(Declared("AdjustHue", "T"), UnorderedElementsAre(DType::kFloat));  // of float16 and float32
  EXPECT_THAT(Declared("TileGrad", "T"), Not(Contains(DType::kString)));         // open, but for the column
  EXPECT_FALSE(IsDeclared(GetOp("TileGrad"), {{"T", DType::kBool}}, Ours()));
  EXPECT_THAT(Declared("MutableHashTableV2", "key_dtype"),
              UnorderedElementsAre(DType::kInt32, DType::kInt64, DType::kString));
}

// bfloat16 is the first type of T, and no kernel takes it.
TEST(Variants, TypesWithADefaultAreTriedBesideADeclaredOne) {
  std::vector<std::string> names;
  for (const Variant& variant : VariantsOf(GetOp("LinSpace"))) names.push_back(variant.name);
  EXPECT_THAT(names, testing::IsSupersetOf({"T=bfloat16", "T=float32 Tidx=int32", "T=float32 Tidx=int64"}));
}

// Of an attribute that lists no types, codes are tried where its column promises them.
TEST(Variants, CodesAreTriedWhereTheyAreDeclared) {
  EXPECT_THAT(Declared("QuantizedReshape", "T"), UnorderedElementsAre(DType::kQuint8, DType::kQint32));
  EXPECT_THAT(Declared("Split", "T"), Contains(DType::kQuint8));
  EXPECT_THAT(Declared("Identity", "T"), Not(Contains(DType::kQuint8)));
}

// A card's backend is ours on any machine.
TEST(Variants, OursAreHeldToTheRow) {
  Backend backend = Ours();
  for (const char* name : {"reference", "cpu", "sim", "gpu-emulated", "gpu", "gpu:1"}) {
    backend.name = name;
    EXPECT_TRUE(IsDeclared(GetOp("Neg"), {{"T", DType::kFloat}}, backend)) << name;
  }
}

TEST(Variants, SomebodyElsesBackendIsHeldToItsOwnWord) {
  Backend backend = Ours();
  backend.name = "./libmine.so";
  EXPECT_FALSE(IsDeclared(GetOp("Neg"), {{"T", DType::kFloat}}, backend));  // it has said nothing
  backend.declares = [](std::string_view op, const AttrMap& types) {
    return op == "Neg" && types.at("T") == AttrValue(DType::kFloat);
  };
  EXPECT_TRUE(IsDeclared(GetOp("Neg"), {{"T", DType::kFloat}}, backend));
  EXPECT_FALSE(IsDeclared(GetOp("Neg"), {{"T", DType::kDouble}}, backend));
}

// Attributes of which samples take these of the declared types only.
struct Limited {
  std::set<std::string> attrs;  // "Cast SrcT"
  std::set<DType> tried;
  const char* reason;
};
const std::set<DType> kKeys = {DType::kInt32, DType::kInt64, DType::kString};
const std::set<DType> kValues = {DType::kBool,  DType::kFloat, DType::kDouble,
                                 DType::kInt32, DType::kInt64, DType::kString};
std::set<DType> AllNumbersAndStrings() {
  const std::vector<DType> all = Declared("Cast", "SrcT");
  return {all.begin(), all.end()};
}
std::set<DType> AllBut(const std::set<DType>& left_out) {
  std::set<DType> types = AllNumbersAndStrings();
  for (const DType type : left_out) types.erase(type);
  return types;
}
std::vector<Limited> LimitedAttributes() {
  return {
      {{"TensorArrayConcat dtype", "TensorArrayConcatV2 dtype", "TensorArrayConcatV3 dtype", "TensorArrayGather dtype",
        "TensorArrayGatherV2 dtype", "TensorArrayGatherV3 dtype", "TensorArrayPack dtype"},
       AllNumbersAndStrings(),
       "no kernel writes codes into a tensor array"},
      {{"Restore dt", "RestoreSlice dt"},
       AllBut({DType::kBfloat16, DType::kUint32, DType::kUint64}),
       "the first format of checkpoints has no other elements"},
      {{"ImmutableConst dtype"}, AllBut({DType::kString}), "the bytes of a file are no strings"},
      {{"Cast SrcT", "Cast DstT", "_HostCast SrcT", "_HostCast DstT"},
       AllBut({DType::kString}),
       "a string becomes no number, and no number a string"},
      {{"InitializeTable Tkey", "InitializeTableV2 Tkey", "LookupTableExport Tkeys", "LookupTableExportV2 Tkeys",
        "LookupTableFind Tin", "LookupTableFindV2 Tin", "LookupTableImport Tin", "LookupTableImportV2 Tin",
        "LookupTableInsert Tin", "LookupTableInsertV2 Tin", "LookupTableRemoveV2 Tin"},
       kKeys,
       "no table has other keys"},
      {{"InitializeTable Tval", "InitializeTableV2 Tval", "LookupTableExport Tvalues", "LookupTableExportV2 Tvalues",
        "LookupTableFind Tout", "LookupTableFindV2 Tout", "LookupTableImport Tout", "LookupTableImportV2 Tout",
        "LookupTableInsert Tout", "LookupTableInsertV2 Tout"},
       kValues,
       "no table has other values"},
      {{"AccumulatorApplyGradient dtype", "AccumulatorTakeGradient dtype", "ResourceAccumulatorApplyGradient dtype",
        "ResourceAccumulatorTakeGradient dtype", "SparseAccumulatorApplyGradient dtype",
        "SparseAccumulatorTakeGradient dtype"},
       {DType::kHalf, DType::kFloat, DType::kDouble},
       "no accumulator averages other gradients"},
  };
}

// Of all types that are declared for an attribute, those that no sample of the row takes with any types of the others.
std::map<std::string, std::set<DType>> Untried() {
  std::map<std::string, std::set<DType>> untried;
  const Backend cpu = Ours();
  for (const OpDef* op : AllOps()) {
    if (!CanSample(*op)) continue;
    std::map<std::string, std::set<DType>> left;
    for (const AttrDef& attr : op->attrs) {
      if (attr.kind != AttrKind::kType || attr.is_list) continue;
      for (const DType type : DeclaredTypes(*op, attr)) left[Str(op->name, " ", attr.name)].insert(type);
    }
    for (const Variant& variant : VariantsOf(*op)) {
      if (!IsDeclared(*op, variant.types, cpu) || SampleInputs(*op, variant.types, 1).empty()) continue;
      for (const auto& [name, type] : variant.types) left[Str(op->name, " ", name)].erase(*type.Get<DType>());
    }
    for (auto& [attr, types] : left) {
      if (!types.empty()) untried[attr] = std::move(types);
    }
  }
  return untried;
}

// What goes unsupported for want of a sample is a pair that no kernel takes: each declared type is tried in some other.
TEST(Variants, EveryDeclaredTypeHasASample) {
  auto untried = Untried();
  for (const Limited& limited : LimitedAttributes()) {
    for (const std::string& attr : limited.attrs) {
      const size_t space = attr.find(' ');
      std::set<DType> expected;
      for (const DType type : Declared(attr.substr(0, space).c_str(), attr.substr(space + 1).c_str())) {
        if (!limited.tried.contains(type)) expected.insert(type);
      }
      EXPECT_EQ(untried[attr], expected) << attr << ": " << limited.reason;
      untried.erase(attr);
    }
  }
  for (const auto& [attr, types] : untried) {
    std::string names;
    for (const DType type : types) names += Str(" ", DTypeName(type));
    ADD_FAILURE() << attr << ": no sample takes" << names;
  }
}

}  // namespace
}  // namespace plumb::conformance
