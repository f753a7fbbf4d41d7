// A graph for each op that reads texts or messages: examples of training, lines, bytes, what was compressed.
#include "bench/graphs/named.h"
#include "spec/files/file.h"
#include "spec/formats/compression.h"
#include "spec/proto/example.pb.h"

namespace plumb::bench {
namespace {

using Shapes = std::vector<PartialShape>;
using Types = std::vector<DType>;

constexpr int kExamples = 1000, kNumbers = 16, kWords = 4, kSteps = 10;
const Types kFloats = {DType::kFloat}, kStrings = {DType::kString}, kInts = {DType::kInt64};
const Shapes kShapes = {PartialShape({kNumbers})};

pb::Feature Numbers(int first) {
  pb::Feature feature;
  for (int i = 0; i < kNumbers; ++i) feature.mutable_float_list()->add_value(static_cast<float>(first + i) / 8);
  return feature;
}

// Sixteen numbers, four words, and up to seven indices.
pb::Features Features(int number) {
  pb::Features features;
  auto& map = *features.mutable_feature();
  map["numbers"] = Numbers(number);
  for (int i = 0; i < kWords; ++i) map["words"].mutable_bytes_list()->add_value(Str("word", number * kWords + i));
  for (int i = 0; i < number % 8; ++i) map["indices"].mutable_int64_list()->add_value(number * 1000 + i);
  return features;
}

std::string Example(int number) {
  pb::Example example;
  *example.mutable_features() = Features(number);
  return example.SerializeAsString();
}

// The same, and sixteen numbers at each of ten steps.
std::string Sequence(int number) {
  pb::SequenceExample sequence;
  *sequence.mutable_context() = Features(number);
  auto& list = (*sequence.mutable_feature_lists()->mutable_feature_list())["steps"];
  for (int i = 0; i < kSteps; ++i) *list.add_feature() = Numbers(number + i);
  return sequence.SerializeAsString();
}

template <class Make>
Output Each(Scope& scope, int count, const Make& make) {
  std::vector<std::string> texts;
  for (int i = 0; i < count; ++i) texts.push_back(make(i));
  return Constant(scope, Texts(texts));
}

Output NoTexts(Scope& scope) { return Constant(scope, Texts({})); }
Output NoFloats(Scope& scope) { return Constant(scope, Zeros(DType::kFloat, {0})); }
Output Key(Scope& scope, const std::string& key) { return Constant(scope, Texts({key})); }

BenchGraph Examples() {
  Scope scope;
  const NodeId parse = scope.Add("ParseExample",
                                 {Each(scope, kExamples, Example), NoTexts(scope), Text(scope, "indices"),
                                  Text(scope, "words"), Text(scope, "numbers"), NoFloats(scope)},
                                 {{"Nsparse", 2},
                                  {"Ndense", 1},
                                  {"sparse_types", Types{DType::kInt64, DType::kString}},
                                  {"Tdense", kFloats},
                                  {"dense_shapes", kShapes}});
  return Named("ParseExample", "parsing", scope, parse, kExamples);
}

BenchGraph ExamplesV2() {
  Scope scope;
  const NodeId parse = scope.Add("ParseExampleV2",
                                 {Each(scope, kExamples, Example), NoTexts(scope), Key(scope, "words"),
                                  Key(scope, "numbers"), Key(scope, "indices"), NoFloats(scope)},
                                 {{"num_sparse", 1},
                                  {"sparse_types", kStrings},
                                  {"Tdense", kFloats},
                                  {"dense_shapes", kShapes},
                                  {"ragged_value_types", kInts},
                                  {"ragged_split_types", kInts}});
  return Named("ParseExampleV2", "parsing", scope, parse, kExamples);
}

BenchGraph SingleExamples() {
  Scope scope;
  std::vector<NodeId> parsed;
  for (int i = 0; i < kCalls; ++i) {
    parsed.push_back(scope.Add("ParseSingleExample", {Text(scope, Example(i)), NoFloats(scope)},
                               {{"num_sparse", 1},
                                {"sparse_keys", std::vector<std::string>{"words"}},
                                {"sparse_types", kStrings},
                                {"dense_keys", std::vector<std::string>{"numbers"}},
                                {"Tdense", kFloats},
                                {"dense_shapes", kShapes}}));
  }
  return Named("ParseSingleExample", "parsing", scope, scope.Group(parsed), kCalls);
}

// What parsers of one and of many sequences are told alike.
AttrMap OfSequences() {
  return {{"Ncontext_sparse", 1},
          {"Ncontext_dense", 1},
          {"Nfeature_list_dense", 1},
          {"context_sparse_types", kStrings},
          {"Tcontext_dense", kFloats},
          {"feature_list_dense_types", kFloats},
          {"context_dense_shapes", kShapes},
          {"feature_list_dense_shapes", kShapes}};
}

BenchGraph Sequences() {
  Scope scope;
  const std::vector<std::string> none, words = {"words"}, numbers = {"numbers"}, steps = {"steps"};
  AttrMap attrs = OfSequences();
  attrs.insert({{"feature_list_dense_missing_assumed_empty", none},
                {"context_sparse_keys", words},
                {"context_dense_keys", numbers},
                {"feature_list_sparse_keys", none},
                {"feature_list_dense_keys", steps}});
  const NodeId parse =
      scope.Add("ParseSequenceExample", {Each(scope, kExamples, Sequence), NoTexts(scope), NoFloats(scope)}, attrs);
  return Named("ParseSequenceExample", "parsing", scope, parse, kExamples);
}

BenchGraph SingleSequences() {
  Scope scope;
  const Output words = Text(scope, "words"), numbers = Text(scope, "numbers"), steps = Text(scope, "steps");
  std::vector<NodeId> parsed;
  for (int i = 0; i < kCalls; ++i) {
    parsed.push_back(
        scope.Add("ParseSingleSequenceExample",
                  {Text(scope, Sequence(i)), NoTexts(scope), words, numbers, steps, NoFloats(scope), Text(scope, "")},
                  OfSequences()));
  }
  return Named("ParseSingleSequenceExample", "parsing", scope, scope.Group(parsed), kCalls);
}

BenchGraph SequencesV2() {
  Scope scope;
  const Output is_missing = Constant(scope, MakeVector<bool>({false}));
  const NodeId parse =
      scope.Add("ParseSequenceExampleV2",
                {Each(scope, kExamples, Sequence), NoTexts(scope), Key(scope, "words"), Key(scope, "numbers"),
                 NoTexts(scope), NoTexts(scope), Key(scope, "steps"), NoTexts(scope), is_missing, NoFloats(scope)},
                {{"Ncontext_sparse", 1},
                 {"context_sparse_types", kStrings},
                 {"Tcontext_dense", kFloats},
                 {"context_dense_shapes", kShapes},
                 {"Nfeature_list_dense", 1},
                 {"feature_list_dense_types", kFloats},
                 {"feature_list_dense_shapes", kShapes}});
  return Named("ParseSequenceExampleV2", "parsing", scope, parse, kExamples);
}

BenchGraph Lines() {
  constexpr int kLines = 10'000;
  Scope scope;
  const Output lines = Each(scope, kLines, [](int i) { return Str(i, ",", i * 0.25, ",\"word, ", i, "\",plain"); });
  const Output word = Key(scope, "none");
  const NodeId decode =
      scope.Add("DecodeCSV",
                {lines, Constant(scope, MakeVector<int64_t>({0})), Constant(scope, MakeVector<float>({0})), word, word},
                {{"OUT_TYPE", Types{DType::kInt64, DType::kFloat, DType::kString, DType::kString}}});
  return Named("DecodeCSV", "parsing", scope, decode, kLines);
}

constexpr int kRecords = 256, kBytes = 4096;

BenchGraph Raw() {
  Scope scope;
  const Output records = Each(scope, kRecords, [](int i) { return std::string(kBytes, static_cast<char>(i)); });
  return Named("DecodeRaw", "parsing", scope, scope.Add("DecodeRaw", {records}, {{"out_type", DType::kFloat}}));
}

BenchGraph PaddedRaw() {
  Scope scope;
  const Output records = Each(scope, kRecords, [](int i) { return std::string(kBytes / (1 + i % 4), 'x'); });
  const NodeId decode =
      scope.Add("DecodePaddedRaw", {records, Constant<int32_t>(scope, kBytes)}, {{"out_type", DType::kFloat}});
  return Named("DecodePaddedRaw", "parsing", scope, decode);
}

BenchGraph Compressed(const std::string& folder) {
  constexpr int kTexts = 16, kLines = 4000;
  Scope scope;
  const Output texts = Each(scope, kTexts, [&](int text) {
    const std::string path = Str(folder, "/compressed", text);
    OutputFile file(path, Compression::kZlib);
    for (int line = 0; line < kLines; ++line) file.Write(Str("line ", line * line, " of text ", text, "\n"));
    file.Close();
    return ReadFile(path);
  });
  const NodeId decode = scope.Add("DecodeCompressed", {texts}, {{"compression_type", std::string("ZLIB")}});
  return Named("DecodeCompressed", "parsing", scope, decode, kTexts);
}

BenchGraph Json() {
  Scope scope;
  const Output texts = Each(scope, kExamples, [](int i) {
    return Str(R"({"features": {"feature": {"a": {"floatList": {"value": [1.5, )", i,
               R"(, -2e3]}}, "b": {"bytesList": {"value": ["YWJj"]}}, "c": {"int64List": {"value": ["1", )", i,
               "]}}}}}");
  });
  return Named("DecodeJSONExample", "parsing", scope, scope.Add("DecodeJSONExample", {texts}), kExamples);
}

}  // namespace

std::vector<BenchGraph> ParsingGraphs(const std::string& folder) {
  return {Examples(), ExamplesV2(), SingleExamples(), Sequences(),        SequencesV2(), SingleSequences(),
          Lines(),    Raw(),        PaddedRaw(),      Compressed(folder), Json()};
}

}  // namespace plumb::bench
