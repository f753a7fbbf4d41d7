// The rows, and what is known without one, against TensorFlow's own listing of ops (testdata/signatures.txt: signature,
// attributes, gradient, types on a CPU).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "spec/files/source_testing.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/known/known_ops.h"
#include "spec/ops/listing.h"

namespace plumb {
namespace {

struct Listed {
  std::string signature;
  std::string attrs;
  size_t attr_count = 0;
  std::string gradient;
  std::map<std::string, std::string> cpu_types;  // "int32 int64", by attribute
  OpDef Parse() const { return ParseOpRow({.signature = signature.c_str(), .attrs = attrs.c_str()}); }
};

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// An op is a line; its attributes, its gradient and its CPU types are indented lines below it.
std::map<std::string, Listed> ReadListing() {
  std::ifstream file(SourcePath("spec/ops/testdata/signatures.txt"));
  std::map<std::string, Listed> ops;
  Listed* op = nullptr;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    if (line[0] != ' ') {
      op = &ops[line.substr(0, line.find('('))];
      op->signature = Replaced(line, "allows-uninitialized-input", "allows_uninitialized_input");
    } else if (line.starts_with("  gradient: ")) {
      op->gradient = line.substr(12);
    } else if (line.starts_with("  cpu: ")) {
      std::istringstream parts(line.substr(7));
      for (std::string part; std::getline(parts, part, ';');) {
        part.erase(0, part.find_first_not_of(' '));
        const size_t space = part.find(' ');
        op->cpu_types[part.substr(0, space)] = part.substr(space + 1);
      }
    } else {
      op->attrs += (op->attrs.empty() ? "" : "; ") + line.substr(2);
      ++op->attr_count;
    }
  }
  return ops;
}

// What the listing says of an op with a row; null, and a failure, where that is nothing.
const Listed* ListedFor(const std::map<std::string, Listed>& listing, const std::string& op) {
  const auto found = listing.find(op);
  if (found != listing.end()) return &found->second;
  ADD_FAILURE() << "spec/ops/testdata/signatures.txt lacks " << op << ", which has a row: what TensorFlow says of it";
  return nullptr;
}

template <class T>
std::vector<T> Sorted(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return values;
}

TEST(Signatures, TheNotationCarriesAllOfTheListing) {
  const auto listing = ReadListing();
  EXPECT_GE(listing.size(), AllOps().size());
  for (const auto& [name, listed] : listing) {
    try {
      const OpDef op = listed.Parse();
      EXPECT_EQ(SignatureText(op), listed.signature);
      EXPECT_EQ(op.attrs.size(), listed.attr_count) << name;
    } catch (const Error& error) {
      ADD_FAILURE() << name << ": " << error.what();
    }
  }
}

void ExpectSameAttr(const AttrDef& ours, const AttrDef& listed, const std::string& where) {
  EXPECT_EQ(ours.name, listed.name) << where;
  EXPECT_EQ(ours.kind, listed.kind) << where;
  EXPECT_EQ(ours.is_list, listed.is_list) << where;
  EXPECT_EQ(ours.minimum, listed.minimum) << where;
  EXPECT_EQ(ours.default_value, listed.default_value) << where;
  EXPECT_EQ(Sorted(ours.allowed_types), Sorted(listed.allowed_types)) << where;
  EXPECT_EQ(ours.allowed_strings, listed.allowed_strings) << where;
}

// The listing calls ops pure that read files, which may change between two steps, or within one, ops that meet those of
// other steps, and ops on TensorArrays that strings name.
const std::set<std::string_view> kStatefulHere = {"Batch",
                                                  "GenerateVocabRemapping",
                                                  "ImmutableConst",
                                                  "MatchingFiles",
                                                  "ReadFile",
                                                  "TensorArrayCloseV2",
                                                  "TensorArrayConcatV2",
                                                  "TensorArrayGatherV2",
                                                  "TensorArrayReadV2",
                                                  "TensorArrayScatterV2",
                                                  "TensorArraySizeV2",
                                                  "TensorArraySplitV2",
                                                  "TensorArrayWriteV2",
                                                  "Unbatch",
                                                  "UnbatchGrad"};

TEST(Signatures, TheRowsSayWhatTheListingSays) {
  const auto listing = ReadListing();
  for (const OpDef* op : AllOps()) {
    const Listed* const given = ListedFor(listing, op->name);
    if (given == nullptr) continue;
    OpDef listed = given->Parse();
    listed.is_stateful |= kStatefulHere.contains(op->name);
    EXPECT_EQ(SignatureText(*op), SignatureText(listed));
    ASSERT_EQ(op->attrs.size(), listed.attrs.size()) << op->name;
    for (size_t i = 0; i < op->attrs.size(); ++i) {
      ExpectSameAttr(op->attrs[i], listed.attrs[i], op->name + "." + op->attrs[i].name);
    }
  }
}

TEST(Signatures, TheListingHasNothingThatIsNeitherARowNorKnown) {
  for (const auto& [name, listed] : ReadListing()) {
    const OpDef* op = FindOp(name);
    ASSERT_NE(op, nullptr) << name;
    if (FindKnownOp(name) == nullptr) continue;
    const OpDef parsed = listed.Parse();
    EXPECT_EQ(SignatureText(*op), SignatureText(parsed));
    ASSERT_EQ(op->attrs.size(), parsed.attrs.size()) << name;
    for (size_t i = 0; i < op->attrs.size(); ++i) ExpectSameAttr(op->attrs[i], parsed.attrs[i], name);
  }
}

// The types of the attribute that TensorFlow has CPU kernels for; those that the attribute allows where it does not
// say.
std::set<DType> ListedCpuTypes(const Listed& listed, const AttrDef& attr) {
  std::set<DType> types(attr.allowed_types.begin(), attr.allowed_types.end());
  const auto found = listed.cpu_types.find(attr.name);
  if (found == listed.cpu_types.end()) return types;
  std::set<DType> on_cpu;
  std::istringstream names(found->second);
  for (std::string name; names >> name;) {
    const DType type = ParseDType(name).value();
    if (types.empty() || types.contains(type)) on_cpu.insert(type);
  }
  return on_cpu;
}

// Types that the listing has and our rows leave out, with the reason.
struct LeftOut {
  const char* op;
  const char* attr;
  std::set<DType> types;
  const char* reason;
};
const LeftOut kLeftOut[] = {
    {"AccumulateNV2",
     "T",
     {DType::kQint8, DType::kQuint8, DType::kQint16, DType::kQuint16, DType::kQint32},
     "TensorFlow has no kernel of the op: it puts variables and additions in its place, which take numbers"},
    {"AvgPool", "T", {DType::kBfloat16}, "TensorFlow's kernel is there, and refuses every call"},
    {"AvgPoolGrad", "T", {DType::kBfloat16}, "TensorFlow's kernel is there, and refuses every call"},
    {"AsString", "T", {DType::kVariant}, "no type of variants is written as text yet"},
    {"Conj", "T", {DType::kVariant}, "no type of variants has a conjugate yet"},
    {"StatelessRandomUniformFullInt",
     "Tseed",
     {DType::kUint32, DType::kUint64},
     "TensorFlow's kernel is there, and refuses every call"},
    {"WriteScalarSummary", "T", {DType::kBfloat16}, "TensorFlow's kernel is there, and refuses every call"},
    {"QuantizedConv2D", "Tfilter", {DType::kQint8}, "TensorFlow's kernel is there, and gives no output"},
};

// Attributes that the listing leaves open, without a line of CPU types: TensorFlow registers these kernels for any
// type, and they refuse all but these when they run.
struct Narrowed {
  const char* op;
  const char* attr;
  const char* types;
};
const Narrowed kNarrowed[] = {
    {"DeepCopy", "T", "numbers, bool, string"},
    {"InplaceAdd", "T", "numbers"},
    {"InplaceSub", "T", "numbers"},
    {"InplaceUpdate", "T", "numbers, bool, string"},
    {"NonDeterministicInts", "shape_dtype", "int32, int64"},
    {"StatefulStandardNormal", "shape_dtype", "int32, int64"},
    {"StatefulStandardNormalV2", "shape_dtype", "int32, int64"},
    {"StatefulTruncatedNormal", "shape_dtype", "int32, int64"},
    {"StatefulUniform", "shape_dtype", "int32, int64"},
    {"StatefulUniformFullInt", "shape_dtype", "int32, int64"},
    {"StatefulUniformInt", "shape_dtype", "int32, int64"},
    {"TileGrad", "T", "floats, complexes, int16, int32, int64"},
};

TEST(Signatures, TheRowsDeclareTheTypesOfTensorFlowsCpuKernels) {
  const auto listing = ReadListing();
  for (const OpDef* op : AllOps()) {
    const Listed* const given = ListedFor(listing, op->name);
    for (const AttrDef& attr : op->attrs) {
      if (given == nullptr || attr.kind != AttrKind::kType || attr.is_list) continue;
      const std::vector<DType>& declared = op->CpuTypes(attr);
      std::set<DType> listed = ListedCpuTypes(*given, attr);
      for (const LeftOut& out : kLeftOut) {
        if (op->name != out.op || attr.name != out.attr) continue;
        for (const DType type : out.types) EXPECT_EQ(listed.erase(type), 1u) << op->name << " " << DTypeName(type);
      }
      for (const Narrowed& narrowed : kNarrowed) {
        if (op->name != narrowed.op || attr.name != narrowed.attr) continue;
        EXPECT_TRUE(listed.empty()) << op->name << "." << attr.name << " is in the listing now";
        const std::string attrs = Str("T: type in [", narrowed.types, "]");
        const OpDef any = ParseOpRow({.signature = "Any(x: T) -> ()", .attrs = attrs.c_str()});
        listed.insert(any.attrs[0].allowed_types.begin(), any.attrs[0].allowed_types.end());
      }
      EXPECT_EQ(std::set<DType>(declared.begin(), declared.end()), listed) << op->name << "." << attr.name;
    }
  }
}

TEST(Signatures, HandlesSayWhatTheyLeadTo) {
  for (const OpDef* op : AllOps()) {
    for (const auto* args : {&op->inputs, &op->outputs}) {
      for (const ArgDef& arg : *args) {
        EXPECT_EQ(arg.type == DType::kResource && arg.handle.empty(), false) << op->name << ", " << arg.name;
      }
    }
  }
}

TEST(Signatures, GradientsExistWhereTensorFlowHasThem) {
  const auto listing = ReadListing();
  for (const OpDef* op : AllOps()) {
    using Kind = Differentiation::Kind;
    const Listed* const given = ListedFor(listing, op->name);
    if (given == nullptr) continue;
    const std::string& gradient = given->gradient;
    const Kind kind = op->gradient.kind;
    if (gradient == "yes") {
      EXPECT_TRUE(kind == Kind::kRule || kind == Kind::kControlFlow) << op->name;
    } else {
      EXPECT_EQ(kind, gradient.starts_with("none") ? Kind::kBlocks : Kind::kNotRegistered) << op->name;
    }
  }
}

// testdata/deprecations.txt: which ops TensorFlow 2.12 refuses in graphs from which version on.
TEST(Signatures, DeprecationsAreTensorFlows) {
  std::ifstream file(SourcePath("spec/ops/testdata/deprecations.txt"));
  std::map<std::string, int> listed;
  std::string name;
  for (int version; file >> name >> version;) listed[name] = version;
  ASSERT_FALSE(listed.empty());
  for (const OpDef* op : AllOps()) {
    const auto found = listed.find(op->name);
    EXPECT_EQ(op->deprecated.version, found == listed.end() ? 0 : found->second) << op->name;
  }
}

TEST(Signatures, OpsThatHandleResourcesAreStateful) {  // rule R49
  for (const OpDef* op : AllOps()) {
    const auto is_resource = [](const ArgDef& arg) { return arg.type == DType::kResource; };
    const bool handles = std::any_of(op->inputs.begin(), op->inputs.end(), is_resource) ||
                         std::any_of(op->outputs.begin(), op->outputs.end(), is_resource);
    EXPECT_TRUE(!handles || op->is_stateful) << op->name;
  }
}

TEST(Signatures, OnlyTheOpsOfRuleR13TakeUninitializedVariables) {
  for (const OpDef* op : AllOps()) {
    const bool exempt = op->name == "Assign" || op->name == "IsVariableInitialized" || op->name == "RefSwitch" ||
                        op->name == "RefIdentity";
    EXPECT_EQ(op->allows_uninitialized_input, exempt) << op->name;
  }
}

TEST(Signatures, EveryRowIsDocumentedAndSaysItsShapes) {
  for (const OpDef* op : AllOps()) {
    EXPECT_FALSE(op->doc.empty()) << op->name;
    EXPECT_TRUE(!op->shape_pattern.empty() || op->shape_fn != nullptr || op->outputs.empty()) << op->name;
  }
}

}  // namespace
}  // namespace plumb
