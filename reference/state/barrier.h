// Tuples that are put together under keys, a component at a time (rules B1–B5).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/state/waiting_line.h"

namespace plumb::reference {

inline constexpr char kBarrierType[] = "Barrier";  // in handles

// How many tuples are wanted, and whether a closed barrier may give fewer.
struct TuplesWanted {
  int64_t count;
  bool or_fewer;
};

// The answer of an attempt is the indices, the keys and the components of the tuples, each stacked.
class Barrier : public ClonedByCopy<Barrier, WaitingLine<TuplesWanted>> {
 public:
  std::vector<DType> types;
  std::vector<Shape> shapes;  // of the components

  int64_t num_ready() const { return std::ssize(ready_); }
  int64_t num_incomplete() const { return std::ssize(incomplete_); }

  // B1–B3: row i of the values for key i, in order. kCancelled, kInvalidArgument: what was inserted before stays, but
  // for the tuples that it completed.
  void Insert(const std::vector<std::string>& keys, int component, const Value& values);
  // B4: what an attempt begins with; kOutOfRange where a closed barrier cannot have as many.
  TuplesWanted Wanted(int64_t count, bool or_fewer) const;
  // The answer to an attempt for none.
  std::vector<Value> None() const { return Stacked({}); }
  // B5.
  void Close(bool cancels);

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  struct Tuple {
    int64_t index = 0;
    std::string key;
    std::vector<std::optional<Value>> components;
  };
  std::optional<LineAnswer> TryServe(const TuplesWanted& wanted) override;
  std::string Describe(const TuplesWanted& wanted) const override;
  void InsertOne(const std::string& key, int component, const Value& value, bool& is_new,
                 std::vector<Tuple>& completed);
  std::vector<Value> Stacked(const std::vector<Tuple>& tuples) const;
  void SaveTuple(const StateWriter& writer, const Tuple& tuple) const;
  Tuple RestoredTuple(const StateReader& reader) const;

  int64_t next_index_ = INT64_MIN;
  std::map<std::string, Tuple> incomplete_;
  std::vector<Tuple> ready_;      // a heap, the smallest index in front
  bool is_closed_ = false;        // to new keys
  bool is_cancelled_ = false;     // to all
  bool ready_is_closed_ = false;  // nothing will become ready any more
};

}  // namespace plumb::reference
