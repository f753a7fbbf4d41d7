// Rows of several steps put together, cut apart again, and gradients put together (rules BT1–BT4).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fastpath/cpu/lib/state/alarm.h"
#include "fastpath/cpu/lib/state/waiting_line.h"

namespace plumb::fast::cpu {

struct BatchLimits {
  int64_t rows = 0;                   // at most so many in a batch
  std::vector<int64_t> allowed = {};  // sizes that batches are padded to, ascending; empty: any
  int64_t microseconds = 0;           // that a batch waits for more
};

// What becomes of an attempt; whoever sees it gone knows that nobody waits.
struct BatchSlot {
  std::optional<LineAnswer> answer;
};
struct BatchWanted {
  static constexpr bool kLetsOthersPass = true;
  std::shared_ptr<BatchSlot> slot;
};

// BT1, BT2: one batch is open at a time.
class BatchObject : public WaitingLine<BatchWanted> {
 public:
  BatchObject() = default;
  ~BatchObject() override { Dismiss(Status(Code::kNotFound, "a batch was dropped")); }
  BatchObject(const BatchObject&) = delete;
  BatchObject& operator=(const BatchObject&) = delete;

  // Values of one number of rows, at least one and not more than the limit. The answer has their batches, the index,
  // and the number. kInvalidArgument unless their types are those of the batch that is open.
  void Join(AsyncContext& context, Done done, const BatchLimits& limits, std::vector<Tensor> values);

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  struct Task {
    std::weak_ptr<BatchSlot> slot;
    int64_t number;
    int64_t rows;
    std::vector<Tensor> values;
  };
  std::optional<LineAnswer> TryServe(const BatchWanted& wanted) override PLUMB_REQUIRES(mutex_) {
    return std::move(wanted.slot->answer);
  }
  std::string Describe(const BatchWanted& wanted) const override PLUMB_REQUIRES(mutex_);
  std::shared_ptr<BatchSlot> Add(const BatchLimits& limits, std::vector<Tensor> values) PLUMB_EXCLUDES(mutex_);
  void Expire(int64_t batch) PLUMB_EXCLUDES(mutex_);
  void Close() PLUMB_REQUIRES(mutex_);

  std::vector<Task> open_ PLUMB_GUARDED_BY(mutex_);
  BatchLimits limits_ PLUMB_GUARDED_BY(mutex_);
  Alarm alarm_ PLUMB_GUARDED_BY(mutex_);
  int64_t batch_ PLUMB_GUARDED_BY(mutex_) = 0;  // how many were closed
  int64_t next_number_ PLUMB_GUARDED_BY(mutex_) = 1;
};

struct PieceWanted {
  static constexpr bool kLetsOthersPass = true;
  int64_t number = 0;
  DType type = DType::kFloat;
  // Its time, which ends with the attempt.
  struct Time {
    bool is_over = false;
    Alarm alarm = {};
  };
  std::shared_ptr<Time> time = nullptr;
};

// BT3.
class UnbatchObject : public WaitingLine<PieceWanted> {
 public:
  UnbatchObject() = default;
  ~UnbatchObject() override { Dismiss(Status(Code::kNotFound, "what a batch is cut into was dropped")); }
  UnbatchObject(const UnbatchObject&) = delete;
  UnbatchObject& operator=(const UnbatchObject&) = delete;

  using Pieces = std::vector<std::pair<int64_t, Tensor>>;
  // Waits for the piece of the number, which must be of the type, and gives others theirs, unless its own is there
  // already.
  void Exchange(AsyncContext& context, Done done, int64_t number, DType type, int64_t microseconds, Pieces pieces);

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  std::optional<LineAnswer> TryServe(const PieceWanted& wanted) override PLUMB_REQUIRES(mutex_);
  std::string Describe(const PieceWanted& wanted) const override PLUMB_REQUIRES(mutex_);
  void End(const std::weak_ptr<PieceWanted::Time>& time) PLUMB_EXCLUDES(mutex_);

  std::map<int64_t, Tensor> pieces_ PLUMB_GUARDED_BY(mutex_);
  std::map<int64_t, std::weak_ptr<PieceWanted::Time>> wanted_ PLUMB_GUARDED_BY(mutex_);  // by number
};

struct PartGradientsWanted {
  static constexpr bool kLetsOthersPass = true;
  std::vector<int64_t> numbers;  // each once, one at least
  DType type = DType::kFloat;    // of them all
};

// BT4.
class GradientBatchObject : public WaitingLine<PartGradientsWanted> {
 public:
  GradientBatchObject() = default;
  ~GradientBatchObject() override { Dismiss(Status(Code::kNotFound, "gradients of a batch were dropped")); }
  GradientBatchObject(const GradientBatchObject&) = delete;
  GradientBatchObject& operator=(const GradientBatchObject&) = delete;

  // kInvalidArgument where there is a gradient of this number.
  void Offer(int64_t number, Tensor gradient);

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  std::optional<LineAnswer> TryServe(const PartGradientsWanted& wanted) override PLUMB_REQUIRES(mutex_);
  std::string Describe(const PartGradientsWanted& wanted) const override PLUMB_REQUIRES(mutex_);

  std::map<int64_t, Tensor> gradients_ PLUMB_GUARDED_BY(mutex_);
};

// Rows [begin, begin + size) as a tensor of their own.
Tensor RowsCopied(const Tensor& tensor, int64_t begin, int64_t size);

}  // namespace plumb::fast::cpu
