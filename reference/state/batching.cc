#include "reference/state/batching.h"

#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "spec/session/saved_numbers.h"

namespace plumb::reference {
namespace {

// Values one after the other along the first axis; kInvalidArgument where their other extents differ.
Value RowsJoined(const std::vector<Value>& values) {
  const Shape& first = values[0].tensor.shape();
  int64_t rows = 0;
  for (const Value& value : values) {
    const Shape& shape = value.tensor.shape();
    Require(value.tensor.dtype() == values[0].tensor.dtype(), "the parts of a batch are of ",
            DTypeName(values[0].tensor.dtype()), " and of ", DTypeName(value.tensor.dtype()));
    Require(shape.rank() > 0 && shape.rank() == first.rank() && WithDim(shape, 0, 0) == WithDim(first, 0, 0),
            "the parts of a batch may differ in their rows only: ", first.ToString(), " and ", shape.ToString());
    rows += shape.dim(0);
  }
  Assembly result(values[0].tensor.dtype(), WithDim(first, 0, rows));
  int64_t at = 0;
  for (const Value& value : values) {
    result.Copy(at, value, 0, value.tensor.elements());
    at += value.tensor.elements();
  }
  return result.Take();
}

std::vector<DType> TypesOf(const std::vector<Value>& values) {
  std::vector<DType> types;
  for (const Value& value : values) types.push_back(value.tensor.dtype());
  return types;
}

Value FirstRows(const Value& value, int64_t rows) {
  const Shape shape = WithDim(value.tensor.shape(), 0, rows);
  Assembly result(value.tensor.dtype(), shape);
  result.Copy(0, value, 0, shape.elements());
  return result.Take();
}

void SaveNumbered(const StateWriter& writer, const std::map<int64_t, Value>& values) {
  writer.PutScalar<int64_t>("count", std::ssize(values));
  int64_t i = 0;
  for (const auto& [number, value] : values) {
    const StateWriter one = writer.Under(Str(i++));
    one.PutScalar<int64_t>("number", number);
    SaveValue(one, value);
  }
}
std::map<int64_t, Value> RestoredNumbered(const StateReader& reader) {
  std::map<int64_t, Value> values;
  const int64_t count = SavedCount(reader, "count");
  for (int64_t i = 0; i < count; ++i) {
    const StateReader one = reader.Under(Str(i));
    values.emplace(one.GetScalar<int64_t>("number"), RestoredValue(one));
  }
  return values;
}

}  // namespace

int64_t BatchLimits::SizeFor(int64_t rows_there) const {
  const auto found = std::lower_bound(allowed.begin(), allowed.end(), rows_there);
  return found == allowed.end() ? rows_there : *found;
}

void Batcher::Join(int64_t ticket, const BatchLimits& limits, std::vector<Value> values) {
  const int64_t rows = values[0].tensor.dim(0);
  if (rows_ + rows > limits.rows && !open_.empty()) Close();
  Require(open_.empty() || TypesOf(open_[0].values) == TypesOf(values),
          "the batch that is open has other values for each row: nodes of two kinds share the name '", name, "'");
  limits_ = limits;
  open_.push_back({ticket, next_number_++, rows, std::move(values)});
  rows_ += rows;
  Ask(ticket, {});
  if (rows_ >= limits_.rows) Close();
}

void Batcher::Drop(int64_t ticket) {
  std::erase_if(open_, [&](const Task& task) { return task.ticket == ticket; });
  rows_ = 0;
  for (const Task& task : open_) rows_ += task.rows;
  WaitingLine::Drop(ticket);
}

void Batcher::Expire(int64_t ticket) {
  const bool is_open = std::any_of(open_.begin(), open_.end(), [&](const Task& task) { return task.ticket == ticket; });
  if (is_open) Close();
}

// The last one gets everything, padded by the first row; the others no rows and no index.
void Batcher::Close() {
  const Status failure = [&] {
    try {
      Tensor index(DType::kInt64, {std::ssize(open_), 3});
      int64_t* at = index.mutable_data<int64_t>().data();
      int64_t begin = 0;
      for (const Task& task : open_) {
        *at++ = task.number;
        *at++ = begin;
        *at++ = begin += task.rows;
      }
      std::vector<Value> whole;
      for (size_t i = 0; i < open_[0].values.size(); ++i) whole.push_back(Joined(i));
      whole.emplace_back(std::move(index));
      whole.emplace_back(MakeScalar<int64_t>(open_.back().number));
      Answer(open_.back().ticket, {OkStatus(), std::move(whole)});
      return OkStatus();
    } catch (const Error& error) {
      return error.status();
    }
  }();
  for (const Task& task : open_) {
    if (!failure.ok()) Answer(task.ticket, {failure});
    if (!failure.ok() || &task == &open_.back()) continue;
    std::vector<Value> nothing;
    for (const Value& value : task.values) nothing.push_back(FirstRows(value, 0));
    nothing.emplace_back(Tensor(DType::kInt64, {0, 3}));
    nothing.emplace_back(MakeScalar<int64_t>(task.number));
    Answer(task.ticket, {OkStatus(), std::move(nothing)});
  }
  open_.clear();
  rows_ = 0;
}

Value Batcher::Joined(size_t value) const {
  std::vector<Value> parts;
  for (const Task& task : open_) parts.push_back(task.values[value]);
  const Value padding = FirstRows(parts[0], 1);
  for (int64_t missing = limits_.SizeFor(rows_) - rows_; missing > 0; --missing) parts.push_back(padding);
  return RowsJoined(parts);
}

std::string Batcher::Describe(const BatchWanted&) const {
  return Str("batch '", name, "': ", rows_, " of ", limits_.rows, " rows there");
}

void Batcher::Save(const StateWriter& writer) const { writer.PutScalar<int64_t>("next_number", next_number_); }
void Batcher::Restore(const StateReader& reader) { next_number_ = reader.GetScalar<int64_t>("next_number"); }

void Unbatcher::CheckNobodyWants(int64_t number) const {
  for (const auto& [other, wanted] : wanted_) {
    if (wanted == number) throw AlreadyExists("another step waits for the part ", number, " of a batch");
  }
}

void Unbatcher::Want(int64_t ticket, int64_t number, DType type) {
  wanted_[ticket] = number;
  Ask(ticket, {number, type});
}

void Unbatcher::Offer(int64_t number, Value piece) {
  if (!pieces_.emplace(number, std::move(piece)).second) {
    throw AlreadyExists("there is a part ", number, " of a batch already");
  }
  Serve();
}

void Unbatcher::Drop(int64_t ticket) {
  wanted_.erase(ticket);
  WaitingLine::Drop(ticket);
}

void Unbatcher::Expire(int64_t ticket) {
  wanted_.erase(ticket);
  Answer(ticket, {Status(Code::kDeadlineExceeded, "the part of a batch did not arrive within the time given")});
}

std::optional<LineAnswer> Unbatcher::TryServe(const PieceWanted& wanted) {
  const auto found = pieces_.find(wanted.number);
  if (found == pieces_.end()) return std::nullopt;
  const Value piece = std::move(found->second);
  pieces_.erase(found);
  std::erase_if(wanted_, [&](const auto& one) { return one.second == wanted.number; });
  const DType type = piece.tensor.dtype();
  if (type == wanted.type) return LineAnswer{OkStatus(), {piece}};
  return LineAnswer{Status(Code::kInternal, Str("the part ", wanted.number, " of a batch is of ", DTypeName(type),
                                                ", not of ", DTypeName(wanted.type), " as its node gives"))};
}

std::string Unbatcher::Describe(const PieceWanted& wanted) const {
  return Str("part ", wanted.number, " of a batch at '", name, "'");
}

void Unbatcher::Save(const StateWriter& writer) const { SaveNumbered(writer, pieces_); }
void Unbatcher::Restore(const StateReader& reader) { pieces_ = RestoredNumbered(reader); }

void GradientBatcher::Offer(int64_t number, Value gradient) {
  Require(gradients_.emplace(number, std::move(gradient)).second, "there is a gradient ", number, " already");
  Serve();
}

std::optional<LineAnswer> GradientBatcher::TryServe(const PartGradientsWanted& wanted) {
  std::vector<Value> parts;
  for (const int64_t number : wanted.numbers) {
    const auto found = gradients_.find(number);
    if (found == gradients_.end()) return std::nullopt;
    parts.push_back(found->second);
  }
  for (const int64_t number : wanted.numbers) gradients_.erase(number);
  try {
    return LineAnswer{OkStatus(), {RowsJoined(parts)}};
  } catch (const Error& error) {
    return LineAnswer{error.status()};
  }
}

std::string GradientBatcher::Describe(const PartGradientsWanted& wanted) const {
  return Str("gradients of ", wanted.numbers.size(), " parts of a batch at '", name, "', ", gradients_.size(),
             " are there");
}

void GradientBatcher::Save(const StateWriter& writer) const { SaveNumbered(writer, gradients_); }
void GradientBatcher::Restore(const StateReader& reader) { gradients_ = RestoredNumbered(reader); }

}  // namespace plumb::reference
