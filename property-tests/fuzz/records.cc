// Bytes → a file that readers read: record files, plain and compressed, lines, pieces of a length. Both sides give the
// same records and codes, and what is written of records reads the same. The first bytes say how it is read.
#include <cstdlib>

#include "property-tests/fuzz/sides/bytes.h"
#include "property-tests/fuzz/sides/sides.h"
#include "spec/formats/record.h"

namespace plumb::fuzz {
namespace {

constexpr char kFile[] = "file";
constexpr int kReads = 4;

NodeDef Node(const std::string& name, const std::string& op, std::vector<std::string> inputs, AttrMap attrs = {}) {
  return {
      .name = name, .op = op, .inputs = std::move(inputs), .device = {}, .attrs = std::move(attrs), .debug_info = {}};
}

NodeDef Constant(const std::string& name, const Tensor& value) {
  return Node(name, "Const", {}, {{"dtype", value.dtype()}, {"value", value}});
}

constexpr const char* kCompressions[] = {"", "ZLIB", "GZIP"};

NodeDef Reader(Bytes& bytes) {
  const size_t kind = bytes.Below(6);
  if (kind < std::size(kCompressions)) {
    return Node("reader", "TFRecordReaderV2", {}, {{"compression_type", std::string(kCompressions[kind])}});
  }
  if (kind == std::size(kCompressions)) {
    return Node("reader", "TextLineReaderV2", {}, {{"skip_header_lines", int64_t{bytes.Byte() % 4}}});
  }
  const auto length = [&](const char* name) {
    return std::pair<const std::string, AttrValue>(name, int64_t{bytes.Byte() % 9});
  };
  AttrMap attrs = {length("header_bytes"), length("record_bytes"), length("footer_bytes"), length("hop_bytes")};
  attrs.emplace("encoding", std::string(kCompressions[bytes.Below(std::size(kCompressions))]));
  return Node("reader", "FixedLengthRecordReaderV2", {}, std::move(attrs));
}

// Reads the file, which is in the queue twice.
GraphDef Graph(Bytes& bytes) {
  GraphDef graph;
  graph.versions.producer = kGraphVersion;
  const std::vector<DType> strings = {DType::kString};
  graph.nodes = {Reader(bytes),
                 Node("queue", "FIFOQueueV2", {}, {{"component_types", strings}}),
                 Constant("files", MakeTensor<std::string>({2}, {kFile, kFile})),
                 Constant("most", MakeScalar<int64_t>(1 + bytes.Byte() % 4)),
                 Node("fill", "QueueEnqueueManyV2", {"queue", "files"}, {{"Tcomponents", strings}}),
                 Node("close", "QueueCloseV2", {"queue", "^fill"}),
                 Node("read", "ReaderReadUpToV2", {"reader", "queue", "most"}),
                 Node("count", "ReaderNumRecordsProducedV2", {"reader"})};
  return graph;
}

// What is in a file of records, as far as it is whole, is the same when it is written anew.
void Rewrite(const std::string& path, const std::string& again, Compression compression) {
  std::vector<std::string> records;
  try {
    RecordReader reader(path, compression);
    while (auto record = reader.Next()) records.push_back(std::move(*record));
  } catch (const Error& error) {
    if (error.status().code() != Code::kDataLoss) std::abort();
  }
  RecordWriter writer(again, compression);
  for (const std::string& record : records) writer.Write(record);
  writer.Close();
  RecordReader reader(again, compression);
  for (const std::string& record : records) {
    if (reader.Next() != record) std::abort();
  }
  if (reader.Next()) std::abort();
}

}  // namespace
}  // namespace plumb::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plumb;
  fuzz::Bytes bytes(data, size);
  const GraphDef graph = fuzz::Graph(bytes);
  fuzz::Sides sides(graph, fuzz::Alike::kBits, {{fuzz::kFile, std::string(bytes.Rest())}});
  if (sides.Run({.feeds = {}, .fetches = {}, .targets = {"close"}}) != Code::kOk) return 0;
  for (int read = 0; read < fuzz::kReads; ++read) {
    sides.Run({.feeds = {}, .fetches = {"read:0", "read:1"}, .targets = {}});
    sides.Run({.feeds = {}, .fetches = {"count"}, .targets = {}});
  }
  const auto compression = graph.nodes[0].attrs.find("compression_type");
  if (compression != graph.nodes[0].attrs.end()) {
    fuzz::Rewrite(sides.PathOf(fuzz::kFile), sides.PathOf("again"),
                  ParseCompression(*compression->second.Get<std::string>()));
  }
  return 0;
}
