// Rows of several steps put together, cut apart again, and gradients put together (rules BT1–BT4).
#pragma once

#include <map>
#include <set>
#include <vector>

#include "reference/state/timed.h"
#include "reference/state/waiting_line.h"

namespace plumb::reference {

struct BatchLimits {
  int64_t rows = 0;              // at most so many in a batch
  std::vector<int64_t> allowed;  // sizes that batches are padded to, ascending; empty: any
  int64_t SizeFor(int64_t rows_there) const;
};

struct BatchWanted {};

// BT1, BT2: one batch is open at a time.
class Batcher : public ClonedByCopy<Batcher, WaitingLine<BatchWanted>>, public Timed {
 public:
  // Values of one number of rows, at least one. The answers are their batches, the index, and the number.
  void Join(int64_t ticket, const BatchLimits& limits, std::vector<Value> values);
  void Drop(int64_t ticket) override;

  bool HasLimit(int64_t ticket) const override { return !IsServed(ticket); }
  void Expire(int64_t ticket) override;

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  struct Task {
    int64_t ticket;
    int64_t number;
    int64_t rows;
    std::vector<Value> values;
  };
  std::optional<LineAnswer> TryServe(const BatchWanted&) override { return std::nullopt; }
  std::string Describe(const BatchWanted& wanted) const override;
  void Close();
  Value Joined(size_t value) const;

  BatchLimits limits_;
  std::vector<Task> open_;
  int64_t rows_ = 0;  // of the open batch
  int64_t next_number_ = 1;
};

struct PieceWanted {
  static constexpr bool kLetsOthersPass = true;
  int64_t number = 0;
  DType type = DType::kFloat;
};

// BT3.
class Unbatcher : public ClonedByCopy<Unbatcher, WaitingLine<PieceWanted>>, public Timed {
 public:
  bool Holds(int64_t number) const { return pieces_.contains(number); }
  // kAlreadyExists where another one waits for the piece of this number.
  void CheckNobodyWants(int64_t number) const;
  // The piece must be of the type: else kInternal.
  void Want(int64_t ticket, int64_t number, DType type);
  // kAlreadyExists where there is a piece of this number.
  void Offer(int64_t number, Value piece);
  void Drop(int64_t ticket) override;

  bool HasLimit(int64_t ticket) const override { return !IsServed(ticket); }
  void Expire(int64_t ticket) override;

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  std::optional<LineAnswer> TryServe(const PieceWanted& wanted) override;
  std::string Describe(const PieceWanted& wanted) const override;

  std::map<int64_t, Value> pieces_;    // by number
  std::map<int64_t, int64_t> wanted_;  // numbers, by ticket
};

struct PartGradientsWanted {
  static constexpr bool kLetsOthersPass = true;
  std::vector<int64_t> numbers;  // each once
};

// BT4.
class GradientBatcher : public ClonedByCopy<GradientBatcher, WaitingLine<PartGradientsWanted>> {
 public:
  // kInvalidArgument where there is a gradient of this number.
  void Offer(int64_t number, Value gradient);

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  std::optional<LineAnswer> TryServe(const PartGradientsWanted& wanted) override;
  std::string Describe(const PartGradientsWanted& wanted) const override;

  std::map<int64_t, Value> gradients_;  // by number
};

}  // namespace plumb::reference
