#include "fastpath/cpu/lib/state/lookup_table.h"

#include <algorithm>
#include <vector>

namespace plumb::fast::cpu {

void LookupTable::Describe(const std::string& name, const TableSpec& spec, const DenseSpec* dense) {
  MutexLock lock(mutex_);
  if (name_.empty()) name_ = name;
  if (entries_ == nullptr) {
    entries_ = dense == nullptr ? MakeEntries(spec) : MakeDenseEntries(spec, *dense);
    spec_ = spec;
    is_initialized_ = spec.kind != TableKind::kFilledOnce;
  }
  Require(spec.key_type == spec_.key_type && spec.value_type == spec_.value_type, "the shared table '", name_,
          "' is from ", DTypeName(spec_.key_type), " to ", DTypeName(spec_.value_type), ", not from ",
          DTypeName(spec.key_type), " to ", DTypeName(spec.value_type));
}

std::shared_ptr<const TableEntries> LookupTable::Entries() {
  MutexLock lock(mutex_);
  return is_initialized_ ? entries_ : nullptr;
}

Shape LookupTable::key_shape() {
  MutexLock lock(mutex_);
  return entries_->key_shape();
}

Shape TableKernel::ShapeOfValues(LookupTable& table, const Tensor& keys) const {
  const Shape &shape = keys.shape(), &row = table.spec().value_shape;
  const Shape each = table.key_shape();
  const int outer = shape.rank() - each.rank();
  const auto dims = shape.dims();
  bool fits = outer >= 0 && std::equal(each.dims().begin(), each.dims().end(), dims.begin() + outer, dims.end());
  if (table.spec().kind == TableKind::kDense) {
    const auto count = CheckedMultiply(shape.rank() == 0 ? 1 : shape[0], each.elements());
    fits = fits && count.has_value() && *count == shape.elements();
  }
  Require(fits, "keys of shape ", Printed(shape), " are not a row of keys of shape ", Printed(each));
  std::vector<int64_t> result(dims.begin(), dims.begin() + outer);
  result.insert(result.end(), row.dims().begin(), row.dims().end());
  return Shape(result);
}

// Snapshots that others have stay as they are.
TableEntries& LookupTable::Writable() {
  if (entries_.use_count() > 1) {
    entries_ = entries_->Clone();
  } else {
    // Counting up and down again orders what follows after everything that former users of the snapshot did.
    const std::shared_ptr<TableEntries> ordered = entries_;
  }
  return *entries_;
}

void LookupTable::AddAll(const Tensor& keys, const Tensor& values) {
  int64_t conflict = 0;
  if (Writable().Add(keys, values, &conflict)) return;
  throw FailedPrecondition("table '", name_, "': the key at position ", conflict, " came before, with another value");
}

void LookupTable::Initialize(const Tensor& keys, const Tensor& values) {
  Require(!is_mutable(), "the table '", name_, "' changes at any time and is not initialised");
  MutexLock lock(mutex_);
  if (is_initialized_) {
    if (keys.elements() == entries_->size()) return;  // the contents are not compared
    throw FailedPrecondition("the table '", name_, "' is initialised already, with ", entries_->size(),
                             " keys and not ", keys.elements());
  }
  AddAll(keys, values);
  is_initialized_ = true;
}

bool LookupTable::InitializeWithLines(const Tensor& keys, const Tensor& values, bool are_all) {
  MutexLock lock(mutex_);
  if (is_initialized_) return false;
  AddAll(keys, values);
  is_initialized_ = are_all;
  return true;
}

void LookupTable::Insert(const Tensor& keys, const Tensor& values) {
  if (!is_mutable()) throw Unimplemented("the table '", name_, "' is filled once");
  MutexLock lock(mutex_);
  Writable().Set(keys, values);
}

void LookupTable::Remove(const Tensor& keys) {
  if (!is_mutable()) throw Unimplemented("the table '", name_, "' is filled once");
  MutexLock lock(mutex_);
  Writable().Remove(keys);
}

void LookupTable::Replace(const Tensor& keys, const Tensor& values) {
  MutexLock lock(mutex_);
  Writable().Import(keys, values);
}

// What a table that is not initialised holds all the same is part of it (rule L2).
void LookupTable::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  writer.PutScalar<int32_t>("key_type", static_cast<int32_t>(spec_.key_type));
  writer.PutScalar<int32_t>("value_type", static_cast<int32_t>(spec_.value_type));
  writer.PutScalar<bool>("is_mutable", is_mutable());
  writer.PutScalar<bool>("is_initialized", is_initialized_);
  writer.Put("value_shape", MakeTensor<int64_t>({spec_.value_shape.rank()}, spec_.value_shape.dims()));
  Tensor keys = Allocate(spec_.key_type, RowsOf(entries_->rows(), entries_->key_shape()));
  Tensor values = Allocate(spec_.value_type, RowsOf(entries_->rows(), spec_.value_shape));
  entries_->Export(keys, values);
  writer.Put("keys", std::move(keys));
  writer.Under("values").Put("tensor", std::move(values));
  entries_->Save(writer.Under("dense"));
}

void LookupTable::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  const bool is_dense = reader.Has("dense/empty_key");
  spec_.key_type = static_cast<DType>(reader.GetScalar<int32_t>("key_type"));
  spec_.value_type = static_cast<DType>(reader.GetScalar<int32_t>("value_type"));
  const bool is_mutable = reader.GetScalar<bool>("is_mutable");
  spec_.kind = is_dense ? TableKind::kDense : is_mutable ? TableKind::kMutable : TableKind::kFilledOnce;
  spec_.value_shape = Shape(ToInt64s(reader.Get("value_shape")));
  is_initialized_ = reader.GetScalar<bool>("is_initialized");
  const Tensor &keys = reader.Get("keys"), &values = reader.Under("values").Get("tensor");
  const int64_t rows = keys.rank() > 0 ? keys.dim(0) : 0;
  const Shape key_shape = is_dense ? reader.Get("dense/empty_key").shape() : Shape();
  if (keys.dtype() != spec_.key_type || values.dtype() != spec_.value_type ||
      !(keys.shape() == RowsOf(rows, key_shape)) || !(values.shape() == RowsOf(rows, spec_.value_shape))) {
    throw DataLoss("the saved state of a table has keys or values that are not the table's");
  }
  if (is_dense) {
    const StateReader dense = reader.Under("dense");
    const DenseSpec begin = {dense.Get("empty_key"), dense.Get("deleted_key"), 4,
                             dense.GetScalar<double>("max_load_factor")};
    const bool fits = begin.empty_key.dtype() == spec_.key_type && begin.deleted_key.dtype() == spec_.key_type;
    if (!fits) throw DataLoss("the saved state of a table has an empty key that is not the table's");
    entries_ = MakeDenseEntries(spec_, begin);
  } else {
    entries_ = MakeEntries(spec_);
  }
  entries_->Import(keys, values);
}

}  // namespace plumb::fast::cpu
