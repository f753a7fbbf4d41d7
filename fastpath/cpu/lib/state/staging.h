// What is staged for other steps: elements in a row (rule Q71), and elements under keys, put together value by value
// (rules Q72–Q75).
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fastpath/cpu/lib/state/waiting_line.h"

namespace plumb::fast::cpu {

// Limits of what is held; 0: none.
struct StagingLimits {
  int64_t elements = 0, bytes = 0;
};

// What both have: limits, and how many bytes they hold.
class StagingRoom {
 public:
  // Said by the first node that uses it; false for any other.
  bool Declare(const StagingLimits& limits);
  // What it comes to to put so many bytes where so many elements are, or any number of them. Nothing: it must wait.
  std::optional<Status> TryPut(int64_t bytes, int64_t elements);
  void Free(int64_t bytes) { bytes_ -= bytes; }
  void Clear() { bytes_ = 0; }
  void Save(const StateWriter& writer) const;
  void Restore(const StateReader& reader);
  // A string counts 24 bytes.
  static int64_t BytesOf(const std::vector<Tensor>& values);
  static constexpr int64_t kAnyNumber = -1;

 private:
  bool is_declared_ = false;
  StagingLimits limits_;
  int64_t bytes_ = 0;
};

enum class StagingAct { kPut, kTake, kPeek };

struct AreaRequest {
  static constexpr bool kLetsOthersPass = true;
  StagingAct act = StagingAct::kPut;
  std::vector<Tensor> values = {};
  int64_t index = 0;
  std::vector<DType> types = {};  // of the outputs
};

// Whoever can go on does, in the order of arrival.
class StagingArea : public WaitingLine<AreaRequest> {
 public:
  StagingArea() = default;
  ~StagingArea() override { Dismiss(Status(Code::kNotFound, "a staging area was dropped")); }
  StagingArea(const StagingArea&) = delete;
  StagingArea& operator=(const StagingArea&) = delete;

  void Describe(const std::string& name, const StagingLimits& limits);
  int64_t size() const;
  void Clear();

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  std::optional<LineAnswer> TryServe(const AreaRequest& request) override PLUMB_REQUIRES(mutex_);
  std::string Describe(const AreaRequest& request) const override PLUMB_REQUIRES(mutex_);

  std::string name_ PLUMB_GUARDED_BY(mutex_);
  StagingRoom room_ PLUMB_GUARDED_BY(mutex_);
  std::deque<std::vector<Tensor>> elements_ PLUMB_GUARDED_BY(mutex_);
};

struct MapRequest {
  static constexpr bool kLetsOthersPass = true;
  StagingAct act = StagingAct::kPut;
  std::optional<int64_t> key = {};  // nothing: any, which is output 0
  std::vector<int64_t> indices = {};
  std::vector<Tensor> values = {};
  std::vector<DType> types = {};  // of the outputs that are values
};

class StagingMap : public WaitingLine<MapRequest> {
 public:
  StagingMap() = default;
  ~StagingMap() override { Dismiss(Status(Code::kNotFound, "a staging map was dropped")); }
  StagingMap(const StagingMap&) = delete;
  StagingMap& operator=(const StagingMap&) = delete;

  void Describe(const std::string& name, const StagingLimits& limits, bool is_ordered, const std::vector<DType>& types);
  int64_t size() const;
  int64_t num_incomplete() const;
  void Clear();

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  struct Element {
    int64_t number = 0;          // in the order in which they became whole
    std::vector<Tensor> values;  // not set where they are not there
    bool HasAll() const;
    bool HasNone() const;
  };
  using Elements = std::map<int64_t, Element>;

  std::optional<LineAnswer> TryServe(const MapRequest& request) override PLUMB_REQUIRES(mutex_);
  std::string Describe(const MapRequest& request) const override PLUMB_REQUIRES(mutex_);
  std::optional<LineAnswer> Put(const MapRequest& request) PLUMB_REQUIRES(mutex_);
  std::optional<LineAnswer> Get(const MapRequest& request) PLUMB_REQUIRES(mutex_);
  void CheckPut(const MapRequest& request) const PLUMB_REQUIRES(mutex_);
  void Complete(int64_t key, Element element) PLUMB_REQUIRES(mutex_);
  Elements::iterator Find(const std::optional<int64_t>& key) PLUMB_REQUIRES(mutex_);

  std::string name_ PLUMB_GUARDED_BY(mutex_);
  StagingRoom room_ PLUMB_GUARDED_BY(mutex_);
  bool is_ordered_ PLUMB_GUARDED_BY(mutex_) = false;
  std::vector<DType> types_ PLUMB_GUARDED_BY(mutex_);
  Elements whole_ PLUMB_GUARDED_BY(mutex_), incomplete_ PLUMB_GUARDED_BY(mutex_);
  int64_t next_number_ PLUMB_GUARDED_BY(mutex_) = 0;
};

}  // namespace plumb::fast::cpu
