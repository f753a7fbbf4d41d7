// Tuples that are put together under keys, a component at a time (rules B1–B5).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fastpath/cpu/lib/state/waiting_line.h"

namespace plumb::fast::cpu {

inline constexpr const char* kBarrierTypeName = "Barrier";

struct BarrierSpec {
  std::vector<DType> types;
  std::vector<Shape> shapes;  // of the components
  bool operator==(const BarrierSpec&) const = default;
};

// How many tuples are wanted, and whether a closed barrier may give fewer.
struct TuplesWanted {
  int64_t count;
  bool or_fewer;
};

class BarrierObject : public WaitingLine<TuplesWanted> {
 public:
  BarrierObject() = default;
  ~BarrierObject() override { Dismiss(Status(Code::kNotFound, Str("barrier '", name_, "' was dropped"))); }
  BarrierObject(const BarrierObject&) = delete;
  BarrierObject& operator=(const BarrierObject&) = delete;

  // Says what it is, the first time; kInvalidArgument where it is something else.
  void Describe(const std::string& name, const BarrierSpec& spec);
  BarrierSpec spec() const;

  // B1–B3: row i of the values for key i, in order. kCancelled, kInvalidArgument: what was inserted before stays, but
  // for the tuples that it completed. Keys and values fit the component.
  void Insert(const Tensor& keys, size_t component, const Tensor& values);
  // B4: what an attempt begins with; kOutOfRange where a closed barrier cannot have as many.
  TuplesWanted Wanted(int64_t count, bool or_fewer) const;
  // B5.
  void Close(bool cancels);
  int64_t num_ready() const;
  int64_t num_incomplete() const;

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  struct Tuple {
    int64_t index = 0;
    std::string key;
    std::vector<Tensor> components;  // not set where they are not there yet
  };
  // B3: of equal indices the one comes first that the binary heap of the C++ library gives.
  static bool IsLater(const Tuple& a, const Tuple& b) { return a.index > b.index; }

  std::optional<LineAnswer> TryServe(const TuplesWanted& wanted) override PLUMB_REQUIRES(mutex_);
  std::string Describe(const TuplesWanted& wanted) const override PLUMB_REQUIRES(mutex_);
  void InsertAll(const Tensor& keys, size_t component, const Tensor& values) PLUMB_REQUIRES(mutex_);
  bool InsertOne(const std::string& key, size_t component, Tensor value, std::vector<Tuple>& completed)
      PLUMB_REQUIRES(mutex_);
  std::vector<Tensor> Taken(int64_t count) PLUMB_REQUIRES(mutex_);
  Tuple RestoredTuple(const StateReader& reader) const PLUMB_REQUIRES(mutex_);

  std::string name_ PLUMB_GUARDED_BY(mutex_);
  BarrierSpec spec_ PLUMB_GUARDED_BY(mutex_);
  int64_t next_index_ PLUMB_GUARDED_BY(mutex_) = INT64_MIN;
  std::map<std::string, Tuple, std::less<>> incomplete_ PLUMB_GUARDED_BY(mutex_);
  std::vector<Tuple> ready_ PLUMB_GUARDED_BY(mutex_);      // a heap, the smallest index in front
  bool is_closed_ PLUMB_GUARDED_BY(mutex_) = false;        // to new keys
  bool is_cancelled_ PLUMB_GUARDED_BY(mutex_) = false;     // to all
  bool ready_is_closed_ PLUMB_GUARDED_BY(mutex_) = false;  // nothing will become ready any more
};

}  // namespace plumb::fast::cpu
