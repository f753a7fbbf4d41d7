// Variables and their buffers: what is written into a buffer shows in every alias of it (rules R30–R33, R44).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "reference/numbers/value.h"
#include "reference/state/resources.h"

namespace plumb::reference {

// What a variable behind references holds. Aliases of it (Value::source) outlive the variable, and a variable that was
// given a value of another size has another one.
class VariableBuffer : public ClonedByCopy<VariableBuffer> {
 public:
  explicit VariableBuffer(Value content) : content_(std::move(content)) {}

  const Value& content() const { return content_; }
  Value& content() { return content_; }
  // R32: as many elements of the same type, in whatever shape; every alias shows them from now on.
  void Write(Value value);

 private:
  Value content_;
};

// The value itself; of an alias: what its part of the buffer holds now (rule R31). It is still an alias.
Value Current(Value value);
// The same, and no longer an alias: later writes do not show in it (rules F29, R36).
Value Detached(Value value);
// Rows [first, first + count) of a value: an alias of them, if it is one.
Value RowsOf(const Value& value, int64_t first, int64_t count);
// R31: whether an op that takes those rows as they lie hands them on, rather than copying them.
bool ForwardsRows(const Tensor& value);                                // Split, SplitV, Unpack
bool ForwardsSlice(const Tensor& value, int64_t begin, int64_t size);  // Slice, StridedSlice
// In a fork of the world: the buffer's copy in place of the buffer.
void Relink(Value& value, Copies& copies);

// Told of every access to the variables it is set on, once, before the access changes anything. It touches no variable
// itself, and lives as long as it is set.
class VariableWitness {
 public:
  enum class Event { kRead, kReadSparse, kAssign, kUpdate };
  virtual ~VariableWitness() = default;
  // `version`: how often the variable had been written before.
  virtual void OnAccess(const Resource& variable, Event event, int64_t version) = 0;
};

// A variable behind references: what a ref edge points to (rules R10, E3).
class Variable : public Resource {
 public:
  Variable() = default;
  // R10, R4: its first op says its type and shape, later ones change nothing.
  void Declare(DType dtype, Shape shape);

  DType dtype() const { return dtype_; }
  // As declared, until it is given another.
  const Shape& shape() const { return shape_; }
  bool IsInitialized() const;  // R11
  // How often it was written.
  int64_t version() const { return version_; }

  // R30: an alias of its buffer. Throws kFailedPrecondition "Attempting to use uninitialized value" (R13).
  Value Read(std::string_view reader) const;
  // R21: into the buffer, if the number of elements is the same; else it has a new buffer.
  void Assign(Value value);
  // R32: new values for the elements that it has.
  void Update(Value value);
  // What was written last, to be moved about within its bound (rule N10); null before.
  Value* written() { return buffer_ == nullptr ? nullptr : &buffer_->content(); }
  // Null for none. A clone has none: what happens in a fork is no access to this variable.
  void SetWitness(VariableWitness* witness) { witness_ = witness; }

  std::shared_ptr<Resource> Clone(Copies& copies) const override;
  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  void Write(Value value);
  void Tell(VariableWitness::Event event) const;

  DType dtype_ = DType::kInvalid;
  Shape shape_;
  std::shared_ptr<VariableBuffer> buffer_;
  int64_t version_ = 0;
  VariableWitness* witness_ = nullptr;
};

// A variable that handles name (rules R40–R49). Of another type than Variable, so that they never meet (rule R1).
class HandleVariable : public Resource {
 public:
  DType dtype() const { return dtype_; }
  bool IsInitialized() const { return value_.tensor.IsSet(); }
  int64_t version() const { return version_; }

  // R42: a snapshot. Of a variable that was assigned an alias and not written since, that alias (R41).
  Value Read(std::string_view reader) const;
  // R44: for ops that read or write rows. From then on the value is the variable's own.
  Value ReadSparse(std::string_view reader);
  void Assign(Value value);  // R41
  void Update(Value value);  // R43
  Value* written() { return IsInitialized() ? &value_ : nullptr; }
  // Null for none. A clone has none.
  void SetWitness(VariableWitness* witness) { witness_ = witness; }

  std::shared_ptr<Resource> Clone(Copies& copies) const override;
  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  Value Now(std::string_view reader) const;
  void Write(Value value);
  void Tell(VariableWitness::Event event) const;

  DType dtype_ = DType::kInvalid;
  Value value_;
  bool copies_ = false;  // accessed by rows: what is assigned and read is copied
  int64_t version_ = 0;
  VariableWitness* witness_ = nullptr;
};

}  // namespace plumb::reference
