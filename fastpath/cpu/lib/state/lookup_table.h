// Tables of keys and values (rules L1–L7). Who reads one has a snapshot of it, so that nobody waits for a long search.
#pragma once

#include <memory>
#include <string>

#include "fastpath/cpu/lib/state/named_resource.h"

namespace plumb::fast::cpu {

// The pairs of one table, over one type of keys. Keys are given as elements of tensors.
class TableEntries {
 public:
  virtual ~TableEntries() = default;
  virtual std::unique_ptr<TableEntries> Clone() const = 0;
  virtual int64_t size() const = 0;
  // Whether every key was new, or had this value: else it stops, and `conflict` is the first that was not so.
  virtual bool Add(const Tensor& keys, const Tensor& values, int64_t* conflict) = 0;
  virtual void Set(const Tensor& keys, const Tensor& values) = 0;
  virtual void Remove(const Tensor& keys) = 0;
  virtual void Find(ThreadPool& pool, const Tensor& keys, const Tensor& default_value, Tensor& values) const = 0;
  // Tensors of size() elements, by ascending keys.
  virtual void Export(Tensor& keys, Tensor& values) const = 0;
};

class LookupTable : public Resource {
 public:
  // Says what the table is, the first time; afterwards kInvalidArgument unless it is that (rule L6). Comes before
  // anything else.
  void Describe(const std::string& name, DType key_type, DType value_type, bool is_mutable);
  DType key_type() const { return key_type_; }
  DType value_type() const { return value_type_; }
  bool is_mutable() const { return is_mutable_; }

  // Null until a table that is filled once has been filled (rule L1).
  std::shared_ptr<const TableEntries> Entries();
  // L2. Unless these are all, the table stays uninitialised.
  void Initialize(const Tensor& keys, const Tensor& values, bool are_all = true);

  // L5: of a mutable table; else kUnimplemented.
  void Insert(const Tensor& keys, const Tensor& values);
  void Remove(const Tensor& keys);
  void Replace(const Tensor& keys, const Tensor& values);

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  TableEntries& Writable() PLUMB_REQUIRES(mutex_);

  std::string name_;  // this and the next three never change once they are said; a restored table has the three
  DType key_type_ = DType::kInvalid;
  DType value_type_ = DType::kInvalid;
  bool is_mutable_ = false;
  mutable Mutex mutex_;
  std::shared_ptr<TableEntries> entries_ PLUMB_GUARDED_BY(mutex_);
  bool is_initialized_ PLUMB_GUARDED_BY(mutex_) = false;
};

inline constexpr const char* kTableTypeName = "Table";

// The handle of a table is input 0.
class TableKernel : public Kernel {
 public:
  explicit TableKernel(const Node& node) : node_(node.name), lookup_(node, kTableTypeName) {}

 protected:
  std::shared_ptr<LookupTable> TableIn(KernelContext& context) const { return lookup_.Find<LookupTable>(context); }
  void RequireTypes(const LookupTable& table, DType key_type, DType value_type) const {
    Require(table.key_type() == key_type && table.value_type() == value_type, "node ", node_, ": the table is from ",
            DTypeName(table.key_type()), " to ", DTypeName(table.value_type()), ", not from ", DTypeName(key_type),
            " to ", DTypeName(value_type));
  }

  const std::string node_;

 private:
  const NamedLookup lookup_;
};

}  // namespace plumb::fast::cpu
