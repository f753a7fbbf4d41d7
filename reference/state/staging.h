// What is staged for other steps: elements in a row (rule Q71), and elements under keys, put together value by value
// (rules Q72–Q75).
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "reference/state/waiting_line.h"

namespace plumb::reference {

// Limits of what is held, said by the first node that uses it; 0: none.
struct StagingLimits {
  int64_t elements = 0;
  int64_t bytes = 0;
  // Whether there is room for one more element of so many bytes.
  bool HaveRoom(int64_t elements_there, int64_t bytes_there, int64_t bytes_more) const;
  // An element that can never have room, as a failure.
  std::optional<LineAnswer> Refused(int64_t bytes_more) const;
};
// A string counts 24 bytes.
int64_t BytesOf(const std::vector<Value>& values);

enum class StagingAct { kPut, kTake, kPeek };

struct AreaRequest {
  static constexpr bool kLetsOthersPass = true;
  StagingAct act = StagingAct::kPut;
  std::vector<Value> values = {};  // that are put
  int64_t index = 0;               // that is looked at
};

// Whoever can go on does, in the order of arrival.
class StagingArea : public WaitingLine<AreaRequest> {
 public:
  void Declare(const StagingLimits& limits);
  int64_t size() const { return std::ssize(elements_); }
  void Clear();

  std::shared_ptr<Resource> Clone(Copies& copies) const override;
  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  std::optional<LineAnswer> TryServe(const AreaRequest& request) override;
  std::string Describe(const AreaRequest& request) const override;

  std::optional<StagingLimits> limits_;
  std::deque<std::vector<Value>> elements_;
  int64_t bytes_ = 0;
};

struct MapRequest {
  static constexpr bool kLetsOthersPass = true;
  StagingAct act = StagingAct::kPut;
  std::optional<int64_t> key = {};  // nothing: any
  std::vector<int64_t> indices = {};
  std::vector<Value> values = {};
};

class StagingMap : public WaitingLine<MapRequest> {
 public:
  void Declare(const StagingLimits& limits, bool is_ordered, const std::vector<DType>& types);
  int64_t size() const { return std::ssize(whole_); }
  int64_t num_incomplete() const { return std::ssize(incomplete_); }
  void Clear();

  std::shared_ptr<Resource> Clone(Copies& copies) const override;
  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  struct Element {
    int64_t number = 0;         // in the order in which they became whole
    std::vector<Value> values;  // not set where they are not there
  };
  using Elements = std::map<int64_t, Element>;

  std::optional<LineAnswer> TryServe(const MapRequest& request) override;
  std::string Describe(const MapRequest& request) const override;
  std::optional<LineAnswer> Put(const MapRequest& request);
  std::optional<LineAnswer> Get(const MapRequest& request);
  void CheckPut(const MapRequest& request) const;
  void Complete(int64_t key, Element element);
  Elements::iterator Find(const std::optional<int64_t>& key);

  std::optional<StagingLimits> limits_;
  bool is_ordered_ = false;
  std::vector<DType> types_;
  Elements whole_, incomplete_;
  int64_t bytes_ = 0;
  int64_t next_number_ = 0;
};

}  // namespace plumb::reference
