// A graph for each op on strings, which are ten thousand lines of a dozen words.
#include "bench/graphs/named.h"

namespace plumb::bench {
namespace {

constexpr int64_t kLines = 10'000, kRowOfWords = 10;

std::string Line(int64_t i) {
  return Str("line ", i * 7919, ": the Quick brown fox jumps over ", i % 97, " lazy dogs");
}
// With letters of two and three bytes.
std::string Foreign(int64_t i) { return Str("Zeile ", i, ": größer als αβγ und ἄλφα, „so“ heißt's"); }

Output Each(Scope& scope, std::string (*make)(int64_t)) { return Values<std::string>(scope, kLines, make); }
Output Words(Scope& scope) {
  return Values<std::string>(scope, kLines, [](int64_t i) { return Str("word", i * 31); });
}

// The op on all lines, with more inputs that are texts.
BenchGraph OnLines(const std::string& op, const std::vector<std::string>& more = {}, AttrMap attrs = {},
                   std::string (*make)(int64_t) = Line) {
  Scope scope;
  std::vector<Output> inputs = {Each(scope, make)};
  for (const std::string& text : more) inputs.push_back(Text(scope, text));
  return Named(op, "string", scope, scope.Add(op, inputs, std::move(attrs)), kLines);
}

AttrMap Attr(const char* attr, const char* value) { return {{attr, std::string(value)}}; }

BenchGraph Cutting() {
  Scope scope;
  const NodeId cut =
      scope.Add("Substr", {Each(scope, Foreign), Constant(scope, 6), Constant(scope, 12)}, Attr("unit", "UTF8_CHAR"));
  return Named("Substr", "string", scope, cut, kLines);
}

BenchGraph Joining() {
  Scope scope;
  const Output lines = Each(scope, Line);
  const NodeId joined = scope.Add("StringJoin", {lines, Text(scope, "and"), lines}, Attr("separator", " "));
  return Named("StringJoin", "string", scope, joined, kLines);
}

BenchGraph JoiningRows() {
  Scope scope;
  const Output shape = Constant(scope, {-1, static_cast<int32_t>(kRowOfWords)});
  const Output rows = scope.Call("Reshape", {Words(scope), shape});
  const NodeId joined = scope.Add("ReduceJoin", {rows, Constant(scope, 1)}, Attr("separator", " "));
  return Named("ReduceJoin", "string", scope, joined, kLines);
}

BenchGraph JoiningSegments() {
  Scope scope;
  const Output segments =
      Values<int32_t>(scope, kLines, [](int64_t i) { return static_cast<int32_t>(i * 7919 % (kLines / kRowOfWords)); });
  const Output count = Constant<int32_t>(scope, kLines / kRowOfWords);
  const NodeId joined = scope.Add("UnsortedSegmentJoin", {Words(scope), segments, count}, Attr("separator", " "));
  return Named("UnsortedSegmentJoin", "string", scope, joined, kLines);
}

BenchGraph JoiningNeighbours() {
  Scope scope;
  const Output splits = Values<int64_t>(scope, kLines / kRowOfWords + 1, [](int64_t i) { return i * kRowOfWords; });
  const NodeId joined = scope.Add("StringNGrams", {Words(scope), splits},
                                  {{"separator", std::string(" ")},
                                   {"ngram_widths", std::vector<int64_t>{1, 2}},
                                   {"left_pad", std::string("<")},
                                   {"right_pad", std::string(">")},
                                   {"pad_width", 1},
                                   {"preserve_short_sequences", false}});
  return Named("StringNGrams", "string", scope, joined, kLines);
}

BenchGraph Encoding() {
  Scope scope;
  constexpr int64_t kLetters = 50;
  const Output letters = Values<int32_t>(scope, kLines * kLetters, [](int64_t i) {
    return static_cast<int32_t>(i % 5 == 0 ? 0x3b1 + i % 24 : 'a' + i % 26);
  });
  const Output splits = Values<int64_t>(scope, kLines + 1, [](int64_t i) { return i * kLetters; });
  const NodeId encoded = scope.Add("UnicodeEncode", {letters, splits}, Attr("output_encoding", "UTF-8"));
  return Named("UnicodeEncode", "string", scope, encoded, kLines);
}

BenchGraph Decoding64() {
  Scope scope;
  const Output texts =
      Values<std::string>(scope, kLines, [](int64_t i) { return Str("YWJj", 1000 + i % 9000, "YWJjZGVmZ2hp"); });
  return Named("DecodeBase64", "string", scope, scope.Add("DecodeBase64", {texts}), kLines);
}

BenchGraph Printing() {
  Scope scope;
  const Output numbers = Values<float>(scope, kLines, [](int64_t i) { return static_cast<float>(i) / 7; });
  return Named("AsString", "string", scope, scope.Add("AsString", {numbers}), kLines);
}

BenchGraph Formatting() {
  Scope scope;
  const std::vector<DType> types = {DType::kFloat};
  return Beside("StringFormat", "string", scope, {Floats(scope, {1000})}, {{"T", types}});
}

BenchGraph ReadingNumbers() {
  Scope scope;
  const Output texts =
      Values<std::string>(scope, kLines, [](int64_t i) { return Str(static_cast<double>(i) * 1.375, "e-2"); });
  return Named("StringToNumber", "parsing", scope, scope.Add("StringToNumber", {texts}), kLines);
}

BenchGraph Hashing(const std::string& op, AttrMap attrs = {}) {
  attrs["num_buckets"] = 1000;
  return OnLines(op, {}, std::move(attrs));
}

}  // namespace

std::vector<BenchGraph> TextGraphs() {
  const AttrMap utf8 = Attr("encoding", "utf-8"), from_utf8 = Attr("input_encoding", "UTF-8");
  AttrMap transcoding = from_utf8, rewriting = Attr("pattern", "([0-9]+)");
  transcoding["output_encoding"] = std::string("UTF-16-BE");
  rewriting["rewrite"] = std::string("<\\1>");
  return {OnLines("StringSplitV2", {" "}),
          OnLines("StringSplit", {" "}),
          OnLines("RegexReplace", {"([0-9]+)", "<\\1>"}),
          OnLines("StaticRegexReplace", {}, rewriting),
          OnLines("RegexFullMatch", {".*[0-9] lazy.*"}),
          OnLines("StaticRegexFullMatch", {}, Attr("pattern", ".*[0-9] lazy.*")),
          OnLines("StringLower", {}, utf8, Foreign),
          OnLines("StringUpper"),
          OnLines("StringStrip"),
          OnLines("StringLength", {}, Attr("unit", "UTF8_CHAR"), Foreign),
          OnLines("UnicodeTranscode", {}, transcoding, Foreign),
          OnLines("UnicodeDecode", {}, from_utf8, Foreign),
          OnLines("UnicodeDecodeWithOffsets", {}, from_utf8, Foreign),
          OnLines("EncodeBase64"),
          OnLines("SdcaFprint"),
          OnLines("Fingerprint", {"farmhash64"}),
          Hashing("StringToHashBucketFast"),
          Hashing("StringToHashBucketStrong", {{"key", std::vector<int64_t>{98765, 132}}}),
          Hashing("StringToHashBucket"),
          Cutting(),
          Joining(),
          JoiningRows(),
          JoiningSegments(),
          JoiningNeighbours(),
          Encoding(),
          Decoding64(),
          Printing(),
          Formatting(),
          ReadingNumbers()};
}

}  // namespace plumb::bench
