#include "fastpath/cpu/lib/state/staging.h"

#include <algorithm>

#include "fastpath/device/brought_here.h"
#include "spec/session/saved_numbers.h"

namespace plumb::fast::cpu {
namespace {

void SaveValues(const StateWriter& writer, const std::vector<Tensor>& values) {
  writer.PutScalar<int64_t>("values", static_cast<int64_t>(values.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].IsSet()) writer.Under(Str(i)).Put("tensor", ToSave(values[i]));
  }
}
// `most`: of which there may be fewer than are to come; without it all are there.
std::vector<Tensor> RestoredValues(const StateReader& reader, std::optional<size_t> most = std::nullopt) {
  const int64_t count = SavedCount(reader, "values");
  if (most && static_cast<size_t>(count) > *most) throw DataLoss("the saved state has ", count, " values of ", *most);
  std::vector<Tensor> values;
  for (int64_t i = 0; i < count; ++i) {
    const StateReader value = reader.Under(Str(i));
    values.push_back(most && !value.Has("tensor") ? Tensor() : value.Get("tensor"));
  }
  return values;
}

// An element that is not what the node's outputs are, as a failure.
std::optional<LineAnswer> Mismatch(const std::vector<Tensor>& values, const std::vector<DType>& types) {
  if (values.size() != types.size()) {
    return LineAnswer{Status(Code::kInvalidArgument, Str("the ", values.size(), " values that are staged are not the ",
                                                         types.size(), " that the node says"))};
  }
  for (size_t i = 0; i < types.size(); ++i) {
    if (values[i].dtype() == types[i]) continue;
    return LineAnswer{Status(Code::kInternal, Str("value ", i, " that is staged is ", DTypeName(values[i].dtype()),
                                                  ", not ", DTypeName(types[i]), " as the node says"))};
  }
  return std::nullopt;
}

}  // namespace

// ---- Room ----------------------------------------------------------------------------------------------------------

bool StagingRoom::Declare(const StagingLimits& limits) {
  if (is_declared_) return false;
  limits_ = limits;
  return is_declared_ = true;
}

std::optional<Status> StagingRoom::TryPut(int64_t bytes, int64_t elements) {
  if (limits_.bytes > 0 && bytes > limits_.bytes) {
    return Status(Code::kResourceExhausted,
                  Str("values of ", bytes, " bytes can never be staged: the memory limit is ", limits_.bytes));
  }
  if (limits_.elements > 0 && elements >= limits_.elements) return std::nullopt;
  if (limits_.bytes > 0 && bytes_ + bytes > limits_.bytes) return std::nullopt;
  bytes_ += bytes;
  return OkStatus();
}

int64_t StagingRoom::BytesOf(const std::vector<Tensor>& values) {
  constexpr int64_t kOfString = 24;
  int64_t bytes = 0;
  for (const Tensor& value : values) {
    if (!value.IsSet()) continue;
    const auto size = static_cast<int64_t>(ElementSize(value.dtype()));
    bytes += value.elements() * (size == 0 ? kOfString : size);
  }
  return bytes;
}

void StagingRoom::Save(const StateWriter& writer) const {
  writer.PutScalar<int64_t>("capacity", limits_.elements);
  writer.PutScalar<int64_t>("memory_limit", limits_.bytes);
}
void StagingRoom::Restore(const StateReader& reader) {
  Declare({reader.GetScalar<int64_t>("capacity"), reader.GetScalar<int64_t>("memory_limit")});
}

// ---- In a row (Q71) ------------------------------------------------------------------------------------------------

void StagingArea::Describe(const std::string& name, const StagingLimits& limits) {
  MutexLock lock(mutex_);
  name_ = name;
  room_.Declare(limits);
}

std::optional<LineAnswer> StagingArea::TryServe(const AreaRequest& request) {
  if (request.act == StagingAct::kPut) {
    auto status = room_.TryPut(StagingRoom::BytesOf(request.values), static_cast<int64_t>(elements_.size()));
    if (!status) return std::nullopt;
    if (status->ok()) elements_.push_back(request.values);
    return LineAnswer{std::move(*status)};
  }
  if (request.index < 0 || request.index >= static_cast<int64_t>(elements_.size())) return std::nullopt;
  LineAnswer answer{OkStatus(), elements_[static_cast<size_t>(request.index)]};
  if (request.act == StagingAct::kTake) {
    elements_.pop_front();
    room_.Free(StagingRoom::BytesOf(answer.outputs));
  }
  if (auto mismatch = Mismatch(answer.outputs, request.types)) return mismatch;
  return answer;
}

std::string StagingArea::Describe(const AreaRequest& request) const {
  if (request.act == StagingAct::kPut) return Str("staging area '", name_, "': room, it holds ", elements_.size());
  return Str("staging area '", name_, "': element ", request.index, ", it holds ", elements_.size());
}

int64_t StagingArea::size() const {
  MutexLock lock(mutex_);
  return static_cast<int64_t>(elements_.size());
}

void StagingArea::Clear() {
  Answers answers;
  {
    MutexLock lock(mutex_);
    elements_.clear();
    room_.Clear();
    Serve(answers);
  }
  Give(answers);
}

void StagingArea::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  room_.Save(writer);
  writer.PutScalar<int64_t>("size", static_cast<int64_t>(elements_.size()));
  for (size_t i = 0; i < elements_.size(); ++i) SaveValues(writer.Under(Str("elements/", i)), elements_[i]);
}

void StagingArea::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  room_.Restore(reader);
  const int64_t size = SavedCount(reader, "size");
  for (int64_t i = 0; i < size; ++i) {
    elements_.push_back(RestoredValues(reader.Under(Str("elements/", i))));
    room_.Free(-StagingRoom::BytesOf(elements_.back()));
  }
}

// ---- Under keys (Q72–Q75) ------------------------------------------------------------------------------------------

bool StagingMap::Element::HasAll() const {
  return std::all_of(values.begin(), values.end(), [](const Tensor& value) { return value.IsSet(); });
}
bool StagingMap::Element::HasNone() const {
  return std::none_of(values.begin(), values.end(), [](const Tensor& value) { return value.IsSet(); });
}

void StagingMap::Describe(const std::string& name, const StagingLimits& limits, bool is_ordered,
                          const std::vector<DType>& types) {
  MutexLock lock(mutex_);
  name_ = name;
  if (!room_.Declare(limits)) return;
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
  const std::vector<int64_t>& indices = request.indices;
  Require(indices.size() == request.values.size(), "staging map '", name_, "': ", indices.size(), " indices, but ",
          request.values.size(), " values");
  if (request.values.size() == types_.size()) return;  // a whole element, in this order
  const auto begun = incomplete_.find(*request.key);
  for (const int64_t index : indices) {
    Require(index >= 0 && index < static_cast<int64_t>(types_.size()), "staging map '", name_, "': an element has ",
            types_.size(), " values, none at ", index);
    const auto at = static_cast<size_t>(index);
    Require(begun == incomplete_.end() || !begun->second.values[at].IsSet(), "staging map '", name_, "': value ", at,
            " of the element under key ", *request.key, " is there already");
  }
}

std::optional<LineAnswer> StagingMap::Put(const MapRequest& request) {
  CheckPut(request);
  const bool is_whole = request.values.size() == types_.size();
  const int64_t elements = is_whole ? static_cast<int64_t>(whole_.size()) : StagingRoom::kAnyNumber;
  auto status = room_.TryPut(StagingRoom::BytesOf(request.values), elements);
  if (!status) return std::nullopt;
  if (!status->ok()) return LineAnswer{std::move(*status)};
  if (is_whole) {
    Complete(*request.key, {0, request.values});
    return LineAnswer{OkStatus()};
  }
  Element& element = incomplete_[*request.key];
  element.values.resize(types_.size());
  for (size_t i = 0; i < request.indices.size(); ++i) {
    element.values[static_cast<size_t>(request.indices[i])] = request.values[i];
  }
  if (element.HasAll()) Complete(*request.key, std::move(incomplete_.extract(*request.key).mapped()));
  return LineAnswer{OkStatus()};
}

// Q73: the element that is there stays.
void StagingMap::Complete(int64_t key, Element element) {
  element.number = next_number_;
  const int64_t bytes = StagingRoom::BytesOf(element.values);
  if (whole_.try_emplace(key, std::move(element)).second) {
    ++next_number_;
  } else {
    room_.Free(bytes);
  }
}

StagingMap::Elements::iterator StagingMap::Find(const std::optional<int64_t>& key) {
  if (key) return whole_.find(*key);
  if (is_ordered_) return whole_.begin();
  return std::min_element(whole_.begin(), whole_.end(),
                          [](const auto& a, const auto& b) { return a.second.number < b.second.number; });
}

// Q74.
std::optional<LineAnswer> StagingMap::Get(const MapRequest& request) {
  const auto found = Find(request.key);
  if (found == whole_.end()) return std::nullopt;
  const int64_t key = found->first;
  std::vector<Tensor>& values = found->second.values;
  std::vector<Tensor> given;
  for (const int64_t index : request.indices) {
    Require(index >= 0 && index < static_cast<int64_t>(values.size()), "staging map '", name_, "': an element has ",
            values.size(), " values, none at ", index);
    given.push_back(values[static_cast<size_t>(index)]);
    Require(given.back().IsSet(), "staging map '", name_, "': value ", index, " under key ", key, " was taken before");
  }
  if (request.act == StagingAct::kTake) {
    for (const int64_t index : request.indices) values[static_cast<size_t>(index)] = Tensor();
    room_.Free(StagingRoom::BytesOf(given));
    if (found->second.HasNone()) whole_.erase(found);
  }
  if (auto mismatch = Mismatch(given, request.types)) return mismatch;
  if (!request.key) given.insert(given.begin(), MakeScalar<int64_t>(key));
  return LineAnswer{OkStatus(), std::move(given)};
}

std::string StagingMap::Describe(const MapRequest& request) const {
  if (request.act == StagingAct::kPut) return Str("staging map '", name_, "': room, it holds ", whole_.size());
  if (!request.key) return Str("staging map '", name_, "': an element");
  return Str("staging map '", name_, "': an element under key ", *request.key);
}

int64_t StagingMap::size() const {
  MutexLock lock(mutex_);
  return static_cast<int64_t>(whole_.size());
}
int64_t StagingMap::num_incomplete() const {
  MutexLock lock(mutex_);
  return static_cast<int64_t>(incomplete_.size());
}

void StagingMap::Clear() {
  Answers answers;
  {
    MutexLock lock(mutex_);
    whole_.clear();
    incomplete_.clear();
    room_.Clear();
    Serve(answers);
  }
  Give(answers);
}

void StagingMap::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  room_.Save(writer);
  writer.PutScalar<bool>("is_ordered", is_ordered_);
  Tensor types(DType::kInt32, {static_cast<int64_t>(types_.size())});
  for (size_t i = 0; i < types_.size(); ++i) types.mutable_data<int32_t>()[i] = static_cast<int32_t>(types_[i]);
  writer.Put("types", std::move(types));
  writer.PutScalar<int64_t>("next_number", next_number_);
  writer.PutScalar<int64_t>("whole", static_cast<int64_t>(whole_.size()));
  writer.PutScalar<int64_t>("incomplete", static_cast<int64_t>(incomplete_.size()));
  int64_t i = 0;
  for (const Elements* elements : {&whole_, &incomplete_}) {
    for (const auto& entry : *elements) {
      const StateWriter to = writer.Under(Str("elements/", i++));
      to.Put("key", MakeVector<int64_t>({entry.first, entry.second.number}));
      SaveValues(to, entry.second.values);
    }
  }
}

void StagingMap::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  room_.Restore(reader);
  is_ordered_ = reader.GetScalar<bool>("is_ordered");
  for (const int64_t type : ToInt64s(reader.Get("types"))) types_.push_back(static_cast<DType>(type));
  next_number_ = reader.GetScalar<int64_t>("next_number");
  const int64_t whole = SavedCount(reader, "whole"), incomplete = SavedCount(reader, "incomplete");
  for (int64_t i = 0; i < whole + incomplete; ++i) {
    const StateReader from = reader.Under(Str("elements/", i));
    const std::vector<int64_t> key = ToInt64s(from.Get("key"));
    Element element{0, RestoredValues(from, types_.size())};
    const bool is_whole = i < whole;  // though some may have been taken, not all
    const bool fits =
        key.size() == 2 && element.values.size() == types_.size() && !(is_whole ? element.HasNone() : element.HasAll());
    if (!fits) throw DataLoss("the saved state of a staging map has an element of other values than the map");
    element.number = key[1];
    room_.Free(-StagingRoom::BytesOf(element.values));
    (is_whole ? whole_ : incomplete_)[key[0]] = std::move(element);
  }
}

}  // namespace plumb::fast::cpu
