// Records of all files that match a pattern, again and again (rule Q60).
#include <memory>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/state/reader.h"
#include "spec/files/file_pattern.h"

namespace plumb::reference {
namespace {

// The paths that match one of the patterns, which commas separate.
std::vector<std::string> FilesLike(const std::string& patterns) {
  std::vector<std::string> files;
  for (size_t from = 0, end = 0; end != std::string::npos; from = end + 1) {
    end = patterns.find(',', from);
    for (std::string& file : Matching(Files(), patterns.substr(from, end - from))) files.push_back(std::move(file));
  }
  return files;
}

struct Stream : KernelState {
  std::vector<std::string> files;  // of the round that is under way
  size_t next_file = 0;
  RecordReader reader;
  int64_t given = 0;    // of the round
  int64_t skipped = 0;  // given before the session was saved

  std::unique_ptr<KernelState> Clone(Copies&) const override { return std::make_unique<Stream>(*this); }
  void Save(const StateWriter& writer) const override { writer.PutScalar<int64_t>("next", given + skipped); }
  void Restore(const StateReader& saved) override {
    skipped = saved.GetScalar<int64_t>("next");
    if (skipped < 0) throw DataLoss("the saved state of a record input has given ", skipped, " records");
  }
};

std::unique_ptr<Stream> NewStream(const Node& node) {
  auto stream = std::make_unique<Stream>();
  const Compression compression = ParseCompression(GetAttr<std::string>(node.attrs, "compression_type"));
  stream->reader.Declare({.kind = ReaderKind::kRecord, .compression = compression});
  return stream;
}

void BeginRound(Stream& stream, const std::string& patterns) {
  stream.files = FilesLike(patterns);
  stream.next_file = 0;
  stream.given = 0;
  if (stream.files.empty()) throw NotFound("no file matches '", patterns, "'");
}

// The next record of the round, or the first one of the next round.
std::string NextRecord(Stream& stream, const std::string& patterns) {
  bool is_new_round = false;
  while (true) {
    if (stream.reader.HasWork()) {
      if (auto record = stream.reader.Next()) {
        ++stream.given;
        return std::move(record->value);
      }
    } else if (stream.next_file < stream.files.size()) {
      stream.reader.Begin(stream.files[stream.next_file++]);
    } else if (!is_new_round) {
      BeginRound(stream, patterns);
      is_new_round = true;
    } else {
      throw OutOfRange("the files that match '", patterns, "' have no record");
    }
  }
}

void CheckBatch(const Node& node) {
  const auto size = GetAttr<int64_t>(node.attrs, "batch_size");
  Require(size >= 0, "batch_size must not be negative: ", size);
}

void RecordInput(OpContext& c) {
  Stream& stream = StateOf<Stream>(c, [&] { return NewStream(c.node); });
  const auto& patterns = c.attr<std::string>("file_pattern");
  const auto size = c.attr<int64_t>("batch_size");
  if (size > INT32_MAX) {  // a batch beyond reason, but whether there are files is asked first
    NextRecord(stream, patterns);
    throw InvalidArgument("a batch of ", size, " records is too large: batch_size must be below 2^31");
  }
  Tensor batch(DType::kString, {size});
  for (std::string& record : batch.mutable_data<std::string>()) {
    for (; stream.skipped > 0; --stream.skipped) NextRecord(stream, patterns);
    record = NextRecord(stream, patterns);
  }
  c.Output(0, std::move(batch));
}

constexpr KernelRow kRows[] = {
    {"RecordInput", RecordInput, CheckBatch},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowRecordInput() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
