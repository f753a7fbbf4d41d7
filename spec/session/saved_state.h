// What a session, a resource or a stateful kernel remembers, written down so that it can be taken up again: tensors by
// name. How they are stored is the business of whoever keeps them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "spec/core/status.h"
#include "spec/core/tensor.h"

namespace plumb {

// Names are paths: "resources/DEVICE/localhost/Variable/v/value/tensor".
using SavedState = std::map<std::string, Tensor, std::less<>>;

// A name as one part of a path, and back.
std::string PathPart(std::string_view name);
std::string NameOfPart(std::string_view part);
// The first part of a path, which is cut off. Throws kDataLoss where there is no other behind it.
std::string_view TakePart(std::string_view& path);

// Sessions that can be saved are this besides. No step runs meanwhile.
class SavedSession {
 public:
  virtual ~SavedSession() = default;
  // All resources, and what stateful kernels keep.
  virtual Status Save(SavedState* state) = 0;
  // Into a session that has not run yet, with the same graph: it goes on as the saved one would have gone on.
  virtual Status Restore(const SavedState& state) = 0;
};

// Writes under a path.
class StateWriter {
 public:
  explicit StateWriter(SavedState& state, std::string path = "") : state_(state), path_(std::move(path)) {}

  void Put(std::string_view name, Tensor value) const;
  template <class T>
  void PutScalar(std::string_view name, T value) const {
    Put(name, MakeScalar<T>(std::move(value)));
  }
  StateWriter Under(std::string_view name) const { return StateWriter(state_, Str(path_, name, "/")); }

 private:
  SavedState& state_;
  const std::string path_;
};

// Reads what was written under a path.
class StateReader {
 public:
  explicit StateReader(const SavedState& state, std::string path = "") : state_(state), path_(std::move(path)) {}

  bool Has(std::string_view name) const;
  // Throws kDataLoss when it is missing.
  const Tensor& Get(std::string_view name) const;
  template <class T>
  T GetScalar(std::string_view name) const {
    const Tensor& value = Get(name);
    if (value.dtype() != DTypeOf<T> || value.elements() != 1) {
      throw Error(Code::kDataLoss, Str("the saved state has another kind of '", path_, name, "'"));
    }
    return value.scalar<T>();
  }
  StateReader Under(std::string_view name) const { return StateReader(state_, Str(path_, name, "/")); }

 private:
  const SavedState& state_;
  const std::string path_;
};

}  // namespace plumb
