#include "fastpath/cpu/data_flow/batching_object.h"

#include <algorithm>
#include <utility>

#include "fastpath/cpu/lib/strided_copy.h"
#include "spec/session/saved_numbers.h"

namespace plumb::fast::cpu {
namespace {

Shape WithRows(const Shape& shape, int64_t rows) {
  std::vector<int64_t> dims = shape.ToVector();
  dims[0] = rows;
  return Shape(dims);
}

// Tensors one after the other along the first axis, and `padding` copies of the first row of the first; else
// kInvalidArgument.
Tensor RowsJoined(const std::vector<Tensor>& parts, int64_t padding) {
  const Shape& first = parts[0].shape();
  int64_t rows = padding;
  for (const Tensor& part : parts) {
    const Shape& shape = part.shape();
    Require(part.dtype() == parts[0].dtype(), "the parts of a batch are of ", DTypeName(parts[0].dtype()), " and of ",
            DTypeName(part.dtype()));
    Require(shape.rank() > 0 && shape.rank() == first.rank() && WithRows(shape, 0) == WithRows(first, 0),
            "the parts of a batch may differ in their rows only: ", first.ToString(), " and ", shape.ToString());
    rows += shape[0];
  }
  Tensor joined = Allocate(parts[0].dtype(), WithRows(first, rows));
  int64_t at = 0;
  const auto append = [&](const Tensor& from, int64_t count) {
    CopyRun(joined.dtype(), from.raw(), 0, joined.mutable_raw(), at, count);
    at += count;
  };
  for (const Tensor& part : parts) append(part, part.elements());
  for (; padding > 0; --padding) append(parts[0], parts[0].elements() / parts[0].dim(0));
  return joined;
}

// T5.
LineAnswer OfAnotherType(const char* what, int64_t number, const Tensor& there, DType wanted) {
  return {
      Status(Code::kInternal, Str("the ", what, " ", number, " of a batch is of ", DTypeName(there.dtype()),
                                  ", and its node gives ", DTypeName(wanted), ": nodes of two types share its name"))};
}

bool HaveSameTypes(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::ranges::equal(a, b, {}, &Tensor::dtype, &Tensor::dtype);
}

void SaveNumbered(const StateWriter& writer, const std::map<int64_t, Tensor>& values) {
  writer.PutScalar<int64_t>("count", std::ssize(values));
  int64_t i = 0;
  for (const auto& [number, value] : values) {
    const StateWriter one = writer.Under(Str(i++));
    one.PutScalar<int64_t>("number", number);
    one.Put("tensor", value);
  }
}
std::map<int64_t, Tensor> RestoredNumbered(const StateReader& reader) {
  std::map<int64_t, Tensor> values;
  const int64_t count = SavedCount(reader, "count");
  for (int64_t i = 0; i < count; ++i) {
    const StateReader one = reader.Under(Str(i));
    values.emplace(one.GetScalar<int64_t>("number"), one.Get("tensor"));
  }
  return values;
}

}  // namespace

Tensor RowsCopied(const Tensor& tensor, int64_t begin, int64_t size) {
  Tensor rows = Allocate(tensor.dtype(), WithRows(tensor.shape(), size));
  const int64_t each = size == 0 ? 0 : rows.elements() / size;
  CopyRun(rows.dtype(), tensor.raw(), begin * each, rows.mutable_raw(), 0, rows.elements());
  return rows;
}

// ---- Batches -------------------------------------------------------------------------------------------------------

void BatchObject::Join(AsyncContext& context, Done done, const BatchLimits& limits, std::vector<Tensor> values) {
  Ask(context, std::move(done), {Add(limits, std::move(values))});
  Answers answers;
  {
    MutexLock lock(mutex_);
    Serve(answers);  // those whose batch this one has closed
  }
  Give(answers);
}

std::shared_ptr<BatchSlot> BatchObject::Add(const BatchLimits& limits, std::vector<Tensor> values) {
  MutexLock lock(mutex_);
  std::erase_if(open_, [](const Task& task) { return task.slot.expired(); });
  int64_t rows = values[0].dim(0);
  for (const Task& task : open_) rows += task.rows;
  if (rows > limits.rows) {
    rows = values[0].dim(0);
    Close();
  }
  Require(open_.empty() || HaveSameTypes(open_[0].values, values),
          "the batch that is open has other values for each row: nodes of two kinds share its name");
  auto slot = std::make_shared<BatchSlot>();
  limits_ = limits;
  if (open_.empty()) {
    alarm_ = Alarm(std::chrono::microseconds(limits.microseconds), [weak = weak_from_this(), batch = batch_] {
      if (const auto self = std::static_pointer_cast<BatchObject>(weak.lock())) self->Expire(batch);
    });
  }
  open_.push_back({slot, next_number_++, values[0].dim(0), std::move(values)});
  if (rows == limits.rows) Close();
  return slot;
}

void BatchObject::Expire(int64_t batch) {
  Answers answers;
  {
    MutexLock lock(mutex_);
    if (batch == batch_) Close();
    Serve(answers);
  }
  Give(answers);
}

// The last one gets everything; the others no rows and no index.
void BatchObject::Close() {
  ++batch_;
  alarm_ = Alarm();
  std::vector<std::pair<Task, std::shared_ptr<BatchSlot>>> tasks;
  for (Task& task : std::exchange(open_, {})) {
    if (auto slot = task.slot.lock()) tasks.emplace_back(std::move(task), std::move(slot));
  }
  if (tasks.empty()) return;
  Tensor index = Allocate(DType::kInt64, {std::ssize(tasks), 3});
  int64_t* at = index.mutable_data<int64_t>().data();
  int64_t rows = 0;
  for (const auto& [task, slot] : tasks) {
    *at++ = task.number;
    *at++ = rows;
    *at++ = rows += task.rows;
  }
  const auto size = std::lower_bound(limits_.allowed.begin(), limits_.allowed.end(), rows);
  const int64_t padding = size == limits_.allowed.end() ? 0 : *size - rows;
  LineAnswer whole;
  try {
    for (size_t i = 0; i < tasks[0].first.values.size(); ++i) {
      std::vector<Tensor> parts;
      for (const auto& [task, slot] : tasks) parts.push_back(task.values[i]);
      whole.outputs.push_back(RowsJoined(parts, padding));
    }
    whole.outputs.push_back(std::move(index));
    whole.outputs.push_back(MakeScalar<int64_t>(tasks.back().first.number));
  } catch (const Error& error) {
    whole = {error.status()};
  }
  for (const auto& [task, slot] : tasks) {
    if (!whole.status.ok() || slot == tasks.back().second) {
      slot->answer = whole;
      continue;
    }
    slot->answer = LineAnswer{OkStatus()};
    for (const Tensor& value : task.values) slot->answer->outputs.push_back(RowsCopied(value, 0, 0));
    slot->answer->outputs.push_back(Tensor(DType::kInt64, {0, 3}));
    slot->answer->outputs.push_back(MakeScalar<int64_t>(task.number));
  }
}

std::string BatchObject::Describe(const BatchWanted&) const {
  return Str("more rows than those of ", open_.size(), " steps, or the end of its time");
}

void BatchObject::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  writer.PutScalar<int64_t>("next_number", next_number_);
}
void BatchObject::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  next_number_ = reader.GetScalar<int64_t>("next_number");
}

// ---- Pieces --------------------------------------------------------------------------------------------------------

void UnbatchObject::Exchange(AsyncContext& context, Done done, int64_t number, DType type, int64_t microseconds,
                             Pieces pieces) {
  auto time = std::make_shared<PieceWanted::Time>();
  time->is_over = microseconds <= 0;
  {
    MutexLock lock(mutex_);
    std::erase_if(wanted_, [](const auto& one) { return one.second.expired(); });
    if (!wanted_.emplace(number, time).second) {
      throw AlreadyExists("another step waits for the part ", number, " of a batch");
    }
    if (pieces_.contains(number)) pieces.clear();
    for (auto& [of, piece] : pieces) {
      if (!pieces_.emplace(of, std::move(piece)).second) {
        throw AlreadyExists("there is a part ", of, " of a batch already");
      }
    }
  }
  time->alarm = Alarm(std::chrono::microseconds(microseconds), [weak = weak_from_this(), of = std::weak_ptr(time)] {
    if (const auto self = std::static_pointer_cast<UnbatchObject>(weak.lock())) self->End(of);
  });
  Ask(context, std::move(done), {number, type, std::move(time)});
}

void UnbatchObject::End(const std::weak_ptr<PieceWanted::Time>& time) {
  Answers answers;
  {
    MutexLock lock(mutex_);
    const auto ended = time.lock();
    if (ended == nullptr) return;
    ended->is_over = true;
    Serve(answers);
  }
  Give(answers);
}

std::optional<LineAnswer> UnbatchObject::TryServe(const PieceWanted& wanted) {
  const auto found = pieces_.find(wanted.number);
  if (found != pieces_.end()) {
    const Tensor piece = std::move(found->second);
    pieces_.erase(found);
    if (piece.dtype() == wanted.type) return LineAnswer{OkStatus(), {piece}};
    return OfAnotherType("part", wanted.number, piece, wanted.type);
  }
  if (!wanted.time->is_over) return std::nullopt;
  return LineAnswer{Status(Code::kDeadlineExceeded, "the part of a batch did not arrive within the time given")};
}

std::string UnbatchObject::Describe(const PieceWanted& wanted) const {
  return Str("the part ", wanted.number, " of a batch");
}

void UnbatchObject::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  SaveNumbered(writer, pieces_);
}
void UnbatchObject::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  pieces_ = RestoredNumbered(reader);
}

// ---- Gradients -----------------------------------------------------------------------------------------------------

void GradientBatchObject::Offer(int64_t number, Tensor gradient) {
  Answers answers;
  {
    MutexLock lock(mutex_);
    Require(gradients_.emplace(number, std::move(gradient)).second, "there is a gradient ", number, " already");
    Serve(answers);
  }
  Give(answers);
}

std::optional<LineAnswer> GradientBatchObject::TryServe(const PartGradientsWanted& wanted) {
  std::vector<Tensor> parts;
  for (const int64_t number : wanted.numbers) {
    const auto found = gradients_.find(number);
    if (found == gradients_.end()) return std::nullopt;
    parts.push_back(found->second);
  }
  for (const int64_t number : wanted.numbers) gradients_.erase(number);
  if (parts[0].dtype() != wanted.type) {
    return OfAnotherType("gradient", wanted.numbers[0], parts[0], wanted.type);
  }
  try {
    return LineAnswer{OkStatus(), {RowsJoined(parts, 0)}};
  } catch (const Error& error) {
    return LineAnswer{error.status()};
  }
}

std::string GradientBatchObject::Describe(const PartGradientsWanted& wanted) const {
  return Str("the gradients of ", wanted.numbers.size(), " parts of a batch");
}

void GradientBatchObject::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  SaveNumbered(writer, gradients_);
}
void GradientBatchObject::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  gradients_ = RestoredNumbered(reader);
}

}  // namespace plumb::fast::cpu
