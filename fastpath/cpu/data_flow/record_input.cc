// RecordInput: records of all files that match a pattern, again and again (Q60).
#include <algorithm>
#include <string>
#include <vector>

#include "fastpath/cpu/data_flow/work_reader.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/device/kernel.h"
#include "spec/files/file_pattern.h"

namespace plumb::fast::cpu {
namespace {

class RecordInputKernel final : public Kernel {
 public:
  explicit RecordInputKernel(const Node& node)
      : node_(node.name),
        patterns_(GetAttr<std::string>(node.attrs, "file_pattern")),
        batch_(GetAttr<int64_t>(node.attrs, "batch_size")) {
    Require(batch_ >= 0, "batch_size must not be negative: ", batch_);
    ReaderSpec spec;
    spec.kind = ReaderKind::kRecord;
    spec.compression = ParseCompression(GetAttr<std::string>(node.attrs, "compression_type"));
    MutexLock lock(mutex_);
    reader_.Declare(node.name, spec);
  }

  void Run(KernelContext& context) override {
    MutexLock lock(mutex_);
    if (batch_ > INT32_MAX) {  // more than memory holds, which counts only where there are files
      Read();
      throw InvalidArgument("a batch of ", batch_, " records is too large: batch_size must be below 2^31");
    }
    Tensor& batch = context.AllocateOutput(0, DType::kString, Shape({batch_}));
    for (std::string& record : batch.mutable_data<std::string>()) record = Next();
  }

  void Save(const StateWriter& writer) const override {
    MutexLock lock(mutex_);
    writer.PutScalar<int64_t>("next", given_ + skipped_);
  }
  void Restore(const StateReader& reader) override {
    MutexLock lock(mutex_);
    skipped_ = reader.GetScalar<int64_t>("next");
    if (skipped_ < 0) throw DataLoss("the saved state of a record input is that of ", skipped_, " records");
  }

 private:
  std::string Next() PLUMB_REQUIRES(mutex_) {
    for (; skipped_ > 0; --skipped_) Read();
    return Read();
  }

  // The next record of the round, or the first of the next one.
  std::string Read() PLUMB_REQUIRES(mutex_) {
    for (bool is_new_round = false;;) {
      while (reader_.HasWork()) {
        if (auto record = reader_.Next()) {
          ++given_;
          return std::move(record->value);
        }
      }
      if (next_file_ == files_.size()) {
        if (is_new_round) throw OutOfRange("the files that match '", patterns_, "' have no record");
        is_new_round = true;
        BeginRound();
      }
      reader_.Begin(files_[next_file_++]);
    }
  }

  // Commas separate patterns.
  void BeginRound() PLUMB_REQUIRES(mutex_) {
    files_.clear();
    for (size_t from = 0, end = 0; end != std::string::npos; from = end + 1) {
      end = patterns_.find(',', from);
      const std::vector<std::string> found = Matching(Files(), patterns_.substr(from, end - from));
      files_.insert(files_.end(), found.begin(), found.end());
    }
    next_file_ = 0;
    given_ = 0;
    if (files_.empty()) throw NotFound("no file matches '", patterns_, "'");
  }

  const std::string node_, patterns_;
  const int64_t batch_;
  mutable Mutex mutex_;
  std::vector<std::string> files_ PLUMB_GUARDED_BY(mutex_);  // of the round that is under way, in their order
  size_t next_file_ PLUMB_GUARDED_BY(mutex_) = 0;
  WorkReader reader_ PLUMB_GUARDED_BY(mutex_);
  int64_t given_ PLUMB_GUARDED_BY(mutex_) = 0;    // of the round
  int64_t skipped_ PLUMB_GUARDED_BY(mutex_) = 0;  // given before the session was saved
};

constexpr KernelRow kRows[] = {
    {"RecordInput", Make<RecordInputKernel>},
};

}  // namespace

std::span<const KernelRow> DataFlowRecordInput() { return kRows; }

}  // namespace plumb::fast::cpu
