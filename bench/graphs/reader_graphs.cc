// A graph for each kind of reader: names of files are put into a queue, and a step reads as many records as they hold.
#include "bench/graphs/named.h"
#include "spec/files/file_system.h"
#include "spec/formats/record.h"

namespace plumb::bench {
namespace {

constexpr char kReaders[] = "data_flow";
constexpr int kRecords = 1000, kBytes = 64;
const std::vector<DType> kNames = {DType::kString};

std::string Record(int number) {
  std::string record = Str("record ", number, " ");
  record.resize(kBytes - 1, '.');
  return record + "\n";
}

std::string FileOfRecords(const std::string& folder) {
  std::string path = folder + "/records", content;
  for (int i = 0; i < kRecords; ++i) content += Record(i);
  Files().Write(path, content);
  return path;
}

std::string FileOfTfRecords(const std::string& folder) {
  std::string path = folder + "/tfrecords";
  RecordWriter writer(path);
  for (int i = 0; i < kRecords; ++i) writer.Write(Record(i));
  writer.Close();
  return path;
}

std::vector<std::string> SmallFiles(const std::string& folder) {
  std::vector<std::string> paths;
  for (int i = 0; i < kCalls; ++i) {
    paths.push_back(Str(folder, "/small", i));
    Files().Write(paths.back(), Record(i));
  }
  return paths;
}

struct Source {
  Output reader, queue;
};
// A reader, and its queue, into which each step puts these names; nodes are added behind that.
Source ReadingFrom(Scope& scope, ChainBuilder& builder, const std::string& kind, AttrMap attrs,
                   const std::vector<std::string>& work) {
  const std::vector<PartialShape> scalar = {PartialShape(Shape())};
  const Source source = {scope.Call(kind, {}, std::move(attrs)),
                         scope.Call("FIFOQueueV2", {}, {{"component_types", kNames}, {"shapes", scalar}})};
  const Output names = Constant(scope, Texts(work));
  builder.Add("QueueEnqueueManyV2", {source.queue, names}, {{"Tcomponents", kNames}});
  return source;
}

// Record by record.
BenchGraph ReadingEach(const std::string& kind, AttrMap attrs, const std::vector<std::string>& work, int records) {
  Scope scope;
  ChainBuilder builder(scope);
  const Source source = ReadingFrom(scope, builder, kind, std::move(attrs), work);
  for (int i = 0; i < records; ++i) builder.Add("ReaderReadV2", {source.reader, source.queue});
  return Named(kind, kReaders, scope, builder.last(), records);
}

BenchGraph ReadingMany(const std::string& path) {
  Scope scope;
  ChainBuilder builder(scope);
  const Output count = Constant<int64_t>(scope, kRecords);
  const Source source = ReadingFrom(scope, builder, "TFRecordReaderV2", {}, {path});
  return Named("ReaderReadUpToV2", kReaders, scope,
               builder.Add("ReaderReadUpToV2", {source.reader, source.queue, count}), kRecords);
}

// Records in an order of its own, which a thread of its own fetches ahead.
BenchGraph ReadingAhead(const std::string& path) {
  Scope scope;
  constexpr int kBatch = 100;
  const NodeId batch = scope.Add(
      "RecordInput", {},
      {{"file_pattern", path}, {"batch_size", kBatch}, {"file_buffer_size", kBatch}, {"file_parallelism", 1}});
  return Named("RecordInput", kReaders, scope, batch, kBatch);
}

BenchGraph AskingReader(const std::string& op) {
  Scope scope;
  return Beside(op, kReaders, scope, {scope.Call("IdentityReaderV2", {})});
}

// What a reader has read is written down, and read back.
BenchGraph Remembering() {
  Scope scope;
  const Output reader = scope.Call("IdentityReaderV2", {});
  ChainBuilder builder(scope);
  for (int i = 0; i < kCalls; ++i) {
    const Output state = OutputOf(scope, builder.Add("ReaderSerializeStateV2", {reader}), 0);
    builder.Add("ReaderRestoreStateV2", {reader, state});
  }
  return Named("ReaderSerializeStateV2", kReaders, scope, builder.last(), kCalls);
}

}  // namespace

std::vector<BenchGraph> ReaderGraphs(const std::string& folder) {
  const std::string records = FileOfRecords(folder), tfrecords = FileOfTfRecords(folder);
  const std::vector<std::string> small = SmallFiles(folder);
  return {ReadingEach("TextLineReaderV2", {}, {records}, kRecords),
          ReadingEach("FixedLengthRecordReaderV2", {{"record_bytes", kBytes}}, {records}, kRecords),
          ReadingEach("TFRecordReaderV2", {}, {tfrecords}, kRecords),
          ReadingEach("WholeFileReaderV2", {}, small, kCalls),
          ReadingEach("IdentityReaderV2", {}, small, kCalls),
          ReadingMany(tfrecords),
          ReadingAhead(tfrecords),
          AskingReader("ReaderNumRecordsProducedV2"),
          AskingReader("ReaderNumWorkUnitsCompletedV2"),
          AskingReader("ReaderResetV2"),
          Remembering()};
}

}  // namespace plumb::bench
