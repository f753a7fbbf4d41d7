// Tables of keys and values (rules L1–L9). Who reads one has a snapshot of it, so that nobody waits for a long search.
#pragma once

#include <memory>
#include <string>

#include "fastpath/cpu/lib/state/named_resource.h"

namespace plumb::fast::cpu {

enum class TableKind { kFilledOnce, kMutable, kDense };

// Nodes that share a table agree on the types; the rest says the one that makes it (rule L6).
struct TableSpec {
  TableKind kind = TableKind::kMutable;
  DType key_type = DType::kInvalid;
  DType value_type = DType::kInvalid;
  Shape value_shape;  // of the value of one key (rule L8)
};

// What a dense table begins with (rule L9).
struct DenseSpec {
  Tensor empty_key, deleted_key;
  int64_t buckets = 0;
  double max_load_factor = 0.8;
};

// The pairs of one table, over one type of keys. Keys are given as elements of tensors.
class TableEntries {
 public:
  virtual ~TableEntries() = default;
  virtual std::unique_ptr<TableEntries> Clone() const = 0;
  virtual int64_t size() const = 0;
  // Of one key.
  virtual Shape key_shape() const { return {}; }
  // How many rows Export gives.
  virtual int64_t rows() const { return size(); }
  // Whether every key was new, or had this value: else it stops, and `conflict` is the first that was not so.
  virtual bool Add(const Tensor& keys, const Tensor& values, int64_t* conflict) = 0;
  virtual void Set(const Tensor& keys, const Tensor& values) = 0;
  virtual void Remove(const Tensor& keys) = 0;
  // default_value: one for all keys, or one for each.
  virtual void Find(ThreadPool& pool, const Tensor& keys, const Tensor& default_value, Tensor& values) const = 0;
  // rows() of both, in the order in which the keys came (rule L7) or bucket for bucket.
  virtual void Export(Tensor& keys, Tensor& values) const = 0;
  // What was exported, in the place of all it has.
  virtual void Import(const Tensor& keys, const Tensor& values) = 0;
  virtual void Save(const StateWriter& /*writer*/) const {}
};

// Rows of this shape, one behind the other.
Shape RowsOf(int64_t count, const Shape& row);

std::unique_ptr<TableEntries> MakeEntries(const TableSpec& spec);
std::unique_ptr<TableEntries> MakeDenseEntries(const TableSpec& spec, const DenseSpec& dense);

class LookupTable : public Resource {
 public:
  // Says what the table is, the first time; afterwards kInvalidArgument unless it has these types (rule L6). Comes
  // before anything else. `dense` is for tables of that kind.
  void Describe(const std::string& name, const TableSpec& spec, const DenseSpec* dense = nullptr);
  const TableSpec& spec() const { return spec_; }
  DType key_type() const { return spec_.key_type; }
  DType value_type() const { return spec_.value_type; }
  bool is_mutable() const { return spec_.kind != TableKind::kFilledOnce; }

  // Of one key.
  Shape key_shape();
  // Null until a table that is filled once has been filled (rule L1).
  std::shared_ptr<const TableEntries> Entries();
  // L2.
  void Initialize(const Tensor& keys, const Tensor& values);
  // L3: with the lines of a file. Unless these are all, the table stays uninitialised. False where it is initialised
  // already: then nothing is done.
  bool InitializeWithLines(const Tensor& keys, const Tensor& values, bool are_all);

  // L5: of a mutable table; else kUnimplemented.
  void Insert(const Tensor& keys, const Tensor& values);
  void Remove(const Tensor& keys);
  void Replace(const Tensor& keys, const Tensor& values);

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  TableEntries& Writable() PLUMB_REQUIRES(mutex_);
  void AddAll(const Tensor& keys, const Tensor& values) PLUMB_REQUIRES(mutex_);

  std::string name_;  // this and the spec never change once they are said; a restored table has the spec
  TableSpec spec_;
  mutable Mutex mutex_;
  std::shared_ptr<TableEntries> entries_ PLUMB_GUARDED_BY(mutex_);
  bool is_initialized_ PLUMB_GUARDED_BY(mutex_) = false;
};

inline constexpr const char* kTableTypeName = "Table";

// The handle of a table is input 0.
class TableKernel : public Kernel {
 public:
  explicit TableKernel(const Node& node) : lookup_(node, kTableTypeName) {}

 protected:
  std::shared_ptr<LookupTable> TableIn(KernelContext& context) const { return lookup_.Find<LookupTable>(context); }
  void RequireTypes(const LookupTable& table, DType key_type, DType value_type) const {
    Require(table.key_type() == key_type && table.value_type() == value_type, "the table is from ",
            DTypeName(table.key_type()), " to ", DTypeName(table.value_type()), ", not from ", DTypeName(key_type),
            " to ", DTypeName(value_type));
  }
  // Of these keys, whose shape is checked (rule L9).
  Shape ShapeOfValues(LookupTable& table, const Tensor& keys) const;

 private:
  const NamedLookup lookup_;
};

}  // namespace plumb::fast::cpu
