#include "reference/state/staging.h"

#include <algorithm>

#include "reference/state/variable.h"
#include "spec/session/saved_numbers.h"

namespace plumb::reference {

bool StagingLimits::HaveRoom(int64_t elements_there, int64_t bytes_there, int64_t bytes_more) const {
  return (elements == 0 || elements_there < elements) && (bytes == 0 || bytes_there + bytes_more <= bytes);
}

std::optional<LineAnswer> StagingLimits::Refused(int64_t bytes_more) const {
  if (bytes == 0 || bytes_more <= bytes) return std::nullopt;
  return LineAnswer{Status(Code::kResourceExhausted,
                           Str("an element of ", bytes_more, " bytes is staged where the memory limit is ", bytes))};
}

int64_t BytesOf(const std::vector<Value>& values) {
  constexpr int64_t kOfString = 24;
  int64_t bytes = 0;
  for (const Value& value : values) {
    if (!value.tensor.IsSet()) continue;
    const auto size = static_cast<int64_t>(ElementSize(value.tensor.dtype()));
    bytes += value.tensor.elements() * (size == 0 ? kOfString : size);
  }
  return bytes;
}

namespace {

StagingLimits RestoredLimits(const StateReader& reader) {
  return {reader.GetScalar<int64_t>("capacity"), reader.GetScalar<int64_t>("memory_limit")};
}
void SaveLimits(const StateWriter& writer, const StagingLimits& limits) {
  writer.PutScalar<int64_t>("capacity", limits.elements);
  writer.PutScalar<int64_t>("memory_limit", limits.bytes);
}

void SaveElement(const StateWriter& writer, const std::vector<Value>& values) {
  writer.PutScalar<int64_t>("values", std::ssize(values));
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].tensor.IsSet()) SaveValue(writer.Under(Str(i)), values[i]);
  }
}
// `most`: of which there may be fewer than are to come; without it all are there.
std::vector<Value> RestoredElement(const StateReader& reader, std::optional<size_t> most = std::nullopt) {
  const int64_t count = SavedCount(reader, "values");
  if (most && static_cast<size_t>(count) > *most) throw DataLoss("the saved state has ", count, " values of ", *most);
  std::vector<Value> values;
  for (int64_t i = 0; i < count; ++i) {
    const StateReader value = reader.Under(Str(i));
    values.push_back(most && !value.Has("tensor") ? Value() : RestoredValue(value));
  }
  return values;
}

}  // namespace

// ---- In a row (Q71) ------------------------------------------------------------------------------------------------

void StagingArea::Declare(const StagingLimits& limits) {
  if (!limits_) limits_ = limits;
}

std::optional<LineAnswer> StagingArea::TryServe(const AreaRequest& request) {
  if (request.act == StagingAct::kPut) {
    const int64_t bytes = BytesOf(request.values);
    if (auto refused = limits_->Refused(bytes)) return refused;
    if (!limits_->HaveRoom(size(), bytes_, bytes)) return std::nullopt;
    elements_.push_back(request.values);
    bytes_ += bytes;
    return LineAnswer{OkStatus()};
  }
  if (request.index < 0 || request.index >= size()) return std::nullopt;
  LineAnswer answer{OkStatus(), elements_[static_cast<size_t>(request.index)]};
  if (request.act == StagingAct::kTake) {
    elements_.pop_front();
    bytes_ -= BytesOf(answer.values);
  }
  return answer;
}

std::string StagingArea::Describe(const AreaRequest& request) const {
  if (request.act == StagingAct::kPut) return Str("staging area '", name, "': room, it holds ", size());
  return Str("staging area '", name, "': element ", request.index, ", it holds ", size());
}

void StagingArea::Clear() {
  elements_.clear();
  bytes_ = 0;
  Serve();
}

// What it holds may be aliases, whose buffers have copies of their own in the fork.
std::shared_ptr<Resource> StagingArea::Clone(Copies& copies) const {
  auto clone = std::make_shared<StagingArea>(*this);
  clone->RelinkAttempts(copies);
  for (std::vector<Value>& element : clone->elements_) RelinkAll(element, copies);
  return clone;
}

void StagingArea::Save(const StateWriter& writer) const {
  SaveLimits(writer, limits_.value_or(StagingLimits()));
  writer.PutScalar<int64_t>("size", size());
  for (size_t i = 0; i < elements_.size(); ++i) SaveElement(writer.Under(Str("elements/", i)), elements_[i]);
}

void StagingArea::Restore(const StateReader& reader) {
  limits_ = RestoredLimits(reader);
  const int64_t size = SavedCount(reader, "size");
  for (int64_t i = 0; i < size; ++i) {
    elements_.push_back(RestoredElement(reader.Under(Str("elements/", i))));
    bytes_ += BytesOf(elements_.back());
  }
}

// ---- Under keys (Q72–Q75) ------------------------------------------------------------------------------------------

void StagingMap::Declare(const StagingLimits& limits, bool is_ordered, const std::vector<DType>& types) {
  if (limits_) return;
  limits_ = limits;
  is_ordered_ = is_ordered;
  types_ = types;
}

std::optional<LineAnswer> StagingMap::TryServe(const MapRequest& request) {
  try {
    return request.act == StagingAct::kPut ? Put(request) : Get(request);
  } catch (const Error& error) {
    return LineAnswer{error.status()};
  }
}

// Q72.
void StagingMap::CheckPut(const MapRequest& request) const {
  Require(request.indices.size() == request.values.size(), "there are ", request.indices.size(), " indices for ",
          request.values.size(), " values");
  if (request.values.size() == types_.size()) return;
  const auto incomplete = incomplete_.find(*request.key);
  for (const int64_t index : request.indices) {
    Require(0 <= index && index < std::ssize(types_), "the index ", index, " is not below ", types_.size());
    const auto at = static_cast<size_t>(index);
    Require(incomplete == incomplete_.end() || !incomplete->second.values[at].tensor.IsSet(), "value ", index,
            " under key ", *request.key, " is there already");
  }
}

std::optional<LineAnswer> StagingMap::Put(const MapRequest& request) {
  CheckPut(request);
  const int64_t bytes = BytesOf(request.values);
  if (auto refused = limits_->Refused(bytes)) return refused;
  const bool is_whole = request.values.size() == types_.size();
  const StagingLimits limits{is_whole ? limits_->elements : 0, limits_->bytes};
  if (!limits.HaveRoom(size(), bytes_, bytes)) return std::nullopt;
  bytes_ += bytes;
  if (is_whole) {
    Complete(*request.key, {0, request.values});
    return LineAnswer{OkStatus()};
  }
  std::vector<Value>& values = incomplete_[*request.key].values;
  values.resize(types_.size());
  for (size_t i = 0; i < request.indices.size(); ++i)
    values[static_cast<size_t>(request.indices[i])] = request.values[i];
  const bool is_complete = std::all_of(values.begin(), values.end(), [](const Value& v) { return v.tensor.IsSet(); });
  if (is_complete) Complete(*request.key, incomplete_.extract(*request.key).mapped());
  return LineAnswer{OkStatus()};
}

// Q73: the element that is there stays.
void StagingMap::Complete(int64_t key, Element element) {
  if (whole_.contains(key)) {
    bytes_ -= BytesOf(element.values);
    return;
  }
  element.number = next_number_++;
  whole_[key] = std::move(element);
}

StagingMap::Elements::iterator StagingMap::Find(const std::optional<int64_t>& key) {
  if (key) return whole_.find(*key);
  if (is_ordered_) return whole_.begin();
  return std::min_element(whole_.begin(), whole_.end(),
                          [](const auto& a, const auto& b) { return a.second.number < b.second.number; });
}

// Q74. Values: of the key, and those that were asked for.
std::optional<LineAnswer> StagingMap::Get(const MapRequest& request) {
  const auto found = Find(request.key);
  if (found == whole_.end()) return std::nullopt;
  std::vector<Value>& values = found->second.values;
  LineAnswer answer{OkStatus(), {Value(MakeScalar(found->first))}};
  for (size_t i = 0; i < request.indices.size(); ++i) {
    const int64_t index = request.indices[i];
    Require(0 <= index && index < std::ssize(values), "the index ", index, " is not below ", values.size());
    answer.values.push_back(values[static_cast<size_t>(index)]);
    Require(answer.values.back().tensor.IsSet(), "value ", index, " under key ", found->first, " was taken before");
  }
  if (request.act == StagingAct::kPeek) return answer;
  for (const int64_t index : request.indices) values[static_cast<size_t>(index)] = Value();
  bytes_ -= BytesOf({answer.values.begin() + 1, answer.values.end()});
  const bool is_empty = std::none_of(values.begin(), values.end(), [](const Value& v) { return v.tensor.IsSet(); });
  if (is_empty) whole_.erase(found);
  return answer;
}

std::string StagingMap::Describe(const MapRequest& request) const {
  if (request.act == StagingAct::kPut) return Str("staging map '", name, "': room, it holds ", size());
  if (!request.key) return Str("staging map '", name, "': an element");
  return Str("staging map '", name, "': an element under key ", *request.key);
}

void StagingMap::Clear() {
  whole_.clear();
  incomplete_.clear();
  bytes_ = 0;
  Serve();
}

std::shared_ptr<Resource> StagingMap::Clone(Copies& copies) const {
  auto clone = std::make_shared<StagingMap>(*this);
  clone->RelinkAttempts(copies);
  for (Elements* const elements : {&clone->whole_, &clone->incomplete_}) {
    for (auto& [key, element] : *elements) RelinkAll(element.values, copies);
  }
  return clone;
}

void StagingMap::Save(const StateWriter& writer) const {
  SaveLimits(writer, limits_.value_or(StagingLimits()));
  writer.PutScalar<bool>("is_ordered", is_ordered_);
  std::vector<int32_t> types;
  for (const DType dtype : types_) types.push_back(static_cast<int32_t>(dtype));
  writer.Put("types", MakeTensor<int32_t>({std::ssize(types)}, std::span<const int32_t>(types)));
  writer.PutScalar<int64_t>("next_number", next_number_);
  writer.PutScalar<int64_t>("whole", size());
  writer.PutScalar<int64_t>("incomplete", num_incomplete());
  int64_t i = 0;
  for (const Elements* elements : {&whole_, &incomplete_}) {
    for (const auto& [key, element] : *elements) {
      const StateWriter entry = writer.Under(Str("elements/", i++));
      entry.Put("key", MakeVector<int64_t>({key, element.number}));
      SaveElement(entry, element.values);
    }
  }
}

void StagingMap::Restore(const StateReader& reader) {
  limits_ = RestoredLimits(reader);
  is_ordered_ = reader.GetScalar<bool>("is_ordered");
  for (const int64_t type : ToInt64s(reader.Get("types"))) types_.push_back(static_cast<DType>(type));
  next_number_ = reader.GetScalar<int64_t>("next_number");
  const int64_t whole = SavedCount(reader, "whole"), incomplete = SavedCount(reader, "incomplete");
  for (int64_t i = 0; i < whole + incomplete; ++i) {
    const StateReader entry = reader.Under(Str("elements/", i));
    const std::vector<int64_t> key = ToInt64s(entry.Get("key"));
    Element element{key.size() == 2 ? key[1] : 0, RestoredElement(entry, types_.size())};
    const auto there = std::count_if(element.values.begin(), element.values.end(),
                                     [](const Value& value) { return value.tensor.IsSet(); });
    // Of a whole one some values may have been taken, but not all; of another, some are still to come.
    const bool fits = key.size() == 2 && element.values.size() == types_.size() &&
                      (i < whole ? there > 0 : there < std::ssize(types_));
    if (!fits) throw DataLoss("the saved state of a staging map has an element of other values");
    bytes_ += BytesOf(element.values);
    (i < whole ? whole_ : incomplete_)[key[0]] = std::move(element);
  }
}

}  // namespace plumb::reference
