#include "fastpath/cpu/data_flow/barrier_object.h"

#include <algorithm>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/strided_copy.h"

namespace plumb::fast::cpu {
namespace {

Shape Rows(int64_t count, const Shape& row) {
  Dims dims;
  dims.Append(count);
  for (int axis = 0; axis < row.rank(); ++axis) dims.Append(row[axis]);
  return dims.ToShape();
}

}  // namespace

void BarrierObject::Describe(const std::string& name, const BarrierSpec& spec) {
  MutexLock lock(mutex_);
  if (name_.empty()) name_ = name;
  if (spec_.types.empty()) spec_ = spec;
  Require(spec == spec_, "the shared barrier '", name_, "' has components of other types or shapes");
}

BarrierSpec BarrierObject::spec() const {
  MutexLock lock(mutex_);
  return spec_;
}

int64_t BarrierObject::num_ready() const {
  MutexLock lock(mutex_);
  return static_cast<int64_t>(ready_.size());
}

int64_t BarrierObject::num_incomplete() const {
  MutexLock lock(mutex_);
  return static_cast<int64_t>(incomplete_.size());
}

void BarrierObject::Insert(const Tensor& keys, size_t component, const Tensor& values) {
  Answers answers;
  Status status;
  {
    MutexLock lock(mutex_);
    if (is_closed_ && (is_cancelled_ || (keys.elements() > 0 && incomplete_.empty()))) {
      throw Cancelled("the barrier '", name_, "' is closed");
    }
    try {
      InsertAll(keys, component, values);
    } catch (const Error& error) {
      status = error.status();
    }
    if (is_closed_ && incomplete_.empty()) ready_is_closed_ = true;
    Serve(answers);
  }
  Give(answers);
  if (!status.ok()) throw Error(status);
}

void BarrierObject::InsertAll(const Tensor& keys, size_t component, const Tensor& values) {
  const auto names = keys.data<std::string>();
  const Shape& shape = spec_.shapes[component];
  const int64_t size = shape.elements();
  bool any_is_new = false;
  std::vector<Tuple> completed;
  for (size_t i = 0; i < names.size(); ++i) {
    Tensor row = Allocate(values.dtype(), shape);
    CopyRun(values.dtype(), values.raw(), static_cast<int64_t>(i) * size, row.mutable_raw(), 0, size);
    any_is_new |= InsertOne(names[i], component, std::move(row), completed);
  }
  if (any_is_new) ++next_index_;
  for (Tuple& tuple : completed) {
    ready_.push_back(std::move(tuple));
    std::push_heap(ready_.begin(), ready_.end(), IsLater);
  }
}

// Whether it began a tuple.
bool BarrierObject::InsertOne(const std::string& key, size_t component, Tensor value, std::vector<Tuple>& completed) {
  auto found = incomplete_.find(key);
  const bool is_new = found == incomplete_.end();
  if (is_new) {
    if (is_closed_) throw Cancelled("the barrier '", name_, "' is closed, and has no key '", key, "'");
    found = incomplete_.emplace(key, Tuple{next_index_, key, std::vector<Tensor>(spec_.types.size())}).first;
  }
  std::vector<Tensor>& components = found->second.components;
  Require(!components[component].IsSet(), "the key '", key, "' of the barrier '", name_, "' has a component ",
          component, " already");
  components[component] = std::move(value);
  if (std::all_of(components.begin(), components.end(), [](const Tensor& part) { return part.IsSet(); })) {
    completed.push_back(std::move(found->second));
    incomplete_.erase(found);
  }
  return is_new;
}

TuplesWanted BarrierObject::Wanted(int64_t count, bool or_fewer) const {
  MutexLock lock(mutex_);
  if (!is_closed_) return {count, or_fewer};
  const auto ready = static_cast<int64_t>(ready_.size()), incomplete = static_cast<int64_t>(incomplete_.size());
  const int64_t wanted = or_fewer ? std::min(count, ready) : count;
  const int64_t available = ready + (or_fewer ? 0 : incomplete);
  if (available < std::max<int64_t>(wanted, 1)) {
    throw OutOfRange("Barrier '", name_, "' is closed and has insufficient elements (requested ", wanted,
                     ", total size ", available, ")");
  }
  return {wanted, or_fewer};
}

void BarrierObject::Close(bool cancels) {
  Answers answers;
  {
    MutexLock lock(mutex_);
    if (is_closed_ && (is_cancelled_ || !cancels)) throw Cancelled("the barrier '", name_, "' is already closed");
    is_cancelled_ = cancels;
    is_closed_ = true;
    if (cancels) incomplete_.clear();
    if (incomplete_.empty()) ready_is_closed_ = true;
    Serve(answers);
  }
  Give(answers);
}

std::optional<LineAnswer> BarrierObject::TryServe(const TuplesWanted& wanted) {
  const auto ready = static_cast<int64_t>(ready_.size());
  if (wanted.count <= ready) return LineAnswer{OkStatus(), Taken(wanted.count)};
  if (!ready_is_closed_) return std::nullopt;
  if (wanted.or_fewer) ready_.clear();  // B5
  return LineAnswer{Status(Code::kOutOfRange, Str("Barrier '", name_, "' is closed and has insufficient elements"))};
}

std::vector<Tensor> BarrierObject::Taken(int64_t count) {
  std::vector<Tensor> outputs = {Allocate(DType::kInt64, Shape({count})), Allocate(DType::kString, Shape({count}))};
  for (size_t k = 0; k < spec_.types.size(); ++k) {
    outputs.push_back(Allocate(spec_.types[k], Rows(count, spec_.shapes[k])));
  }
  for (int64_t i = 0; i < count; ++i) {
    std::pop_heap(ready_.begin(), ready_.end(), IsLater);
    const Tuple tuple = std::move(ready_.back());
    ready_.pop_back();
    outputs[0].mutable_data<int64_t>()[static_cast<size_t>(i)] = tuple.index;
    outputs[1].mutable_data<std::string>()[static_cast<size_t>(i)] = tuple.key;
    for (size_t k = 0; k < tuple.components.size(); ++k) {
      const int64_t size = spec_.shapes[k].elements();
      CopyRun(spec_.types[k], tuple.components[k].raw(), 0, outputs[k + 2].mutable_raw(), i * size, size);
    }
  }
  return outputs;
}

std::string BarrierObject::Describe(const TuplesWanted& wanted) const {
  return Str("barrier '", name_, "': ", wanted.count, wanted.count == 1 ? " tuple" : " tuples", " wanted, ",
             ready_.size(), " complete");
}

}  // namespace plumb::fast::cpu
