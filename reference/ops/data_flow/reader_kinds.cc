// The ops that make readers (rules Q51, Q53).
#include "reference/kernel/op_context.h"
#include "reference/ops/lib/named_resource.h"
#include "reference/state/reader.h"

namespace plumb::reference {
namespace {

int64_t Length(const Node& node, std::string_view attr) {
  const auto length = GetAttr<int64_t>(node.attrs, attr);
  Require(length >= 0, attr, " must be >= 0 not ", length);
  return length;
}

ReaderType TextType(const Node& node) {
  ReaderType type;
  type.kind = ReaderKind::kTextLine;
  type.header_lines = Length(node, "skip_header_lines");
  Require(type.header_lines <= INT32_MAX, "skip_header_lines is an int32, which ", type.header_lines, " is not");
  return type;
}

ReaderType PieceType(const Node& node) {
  ReaderType type;
  type.kind = ReaderKind::kFixedLength;
  type.header_bytes = Length(node, "header_bytes");
  type.record_bytes = Length(node, "record_bytes");
  type.footer_bytes = Length(node, "footer_bytes");
  type.hop_bytes = Length(node, "hop_bytes");
  type.compression = ParseCompression(GetAttrOr<std::string>(node.attrs, "encoding", ""));  // the older op has none
  return type;
}

ReaderType RecordType(const Node& node) {
  ReaderType type;
  type.kind = ReaderKind::kRecord;
  type.compression = ParseCompression(GetAttr<std::string>(node.attrs, "compression_type"));
  return type;
}

void CheckText(const Node& node) { TextType(node); }
void CheckPieces(const Node& node) { PieceType(node); }

void MakeReader(OpContext& c, const ReaderType& type) {
  const ResourceName name = NameOf(c.node);
  RecordReader& reader = c.resources.FindOrCreate<RecordReader>(name);
  reader.Declare(type);
  const std::string& shared_name = c.attr<std::string>("shared_name");
  if (reader.name.empty()) reader.name = shared_name.empty() ? c.node.name : shared_name;
  OutputHandle(c, name, kReaderType);
}

void WholeFileReader(OpContext& c) { MakeReader(c, {.kind = ReaderKind::kWholeFile}); }
void TextLineReader(OpContext& c) { MakeReader(c, TextType(c.node)); }
void FixedLengthRecordReader(OpContext& c) { MakeReader(c, PieceType(c.node)); }
void TFRecordReader(OpContext& c) { MakeReader(c, RecordType(c.node)); }
void IdentityReader(OpContext& c) { MakeReader(c, {.kind = ReaderKind::kIdentity}); }

constexpr KernelRow kRows[] = {
    {"WholeFileReader", WholeFileReader},
    {"WholeFileReaderV2", WholeFileReader},
    {"TextLineReader", TextLineReader, CheckText},
    {"TextLineReaderV2", TextLineReader, CheckText},
    {"FixedLengthRecordReader", FixedLengthRecordReader, CheckPieces},
    {"FixedLengthRecordReaderV2", FixedLengthRecordReader, CheckPieces},
    {"TFRecordReader", TFRecordReader},
    {"TFRecordReaderV2", TFRecordReader},
    {"IdentityReader", IdentityReader},
    {"IdentityReaderV2", IdentityReader},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowReaderKinds() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
