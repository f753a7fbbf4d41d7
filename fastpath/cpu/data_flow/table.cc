// Tables that are filled once, and tables that change (rules L1–L9).
#include <algorithm>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/lookup_table.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

Shape RowShape(const Node& node) { return GetAttr<PartialShape>(node.attrs, "value_shape").ToShape(); }

TableSpec SpecOf(const Node& node, TableKind kind) {
  TableSpec spec;
  spec.kind = kind;
  spec.key_type = GetAttr<DType>(node.attrs, "key_dtype");
  spec.value_type = GetAttr<DType>(node.attrs, "value_dtype");
  return spec;
}

// L6.
ResourceName TableName(const Node& node) {
  return GetAttr<bool>(node.attrs, "use_node_name_sharing") ? ResourceNameOf(node, node.name) : PrivateNameOf(node);
}

class MakeTableKernel : public Kernel {
 public:
  MakeTableKernel(const Node& node, TableKind kind)
      : spec_(SpecOf(node, kind)), name_(TableName(node)), handle_(node, name_, kTableTypeName) {
    if (!node.attrs.contains("value_shape")) return;
    spec_.value_shape = RowShape(node);
    const int rank = spec_.value_shape.rank();
    Require(rank == 1 || (rank == 0 && kind == TableKind::kDense), "value_shape must be that of a vector, not ",
            Printed(spec_.value_shape));  // L8, L9
  }

  void Run(KernelContext& context) override { Describe(context, nullptr); }

 protected:
  void Describe(KernelContext& context, const DenseSpec* dense) {
    // What cannot be made leaves nothing behind under the name.
    if (dense != nullptr && context.resources().Find<LookupTable>(name_) == nullptr) MakeDenseEntries(spec_, *dense);
    context.resources().FindOrCreate<LookupTable>(name_)->Describe(name_.name, spec_, dense);
    handle_.Set(context);
  }

  TableSpec spec_;
  const ResourceName name_;

 private:
  const HandleOutput handle_;
};

// L9.
class MakeDenseTableKernel : public MakeTableKernel {
 public:
  explicit MakeDenseTableKernel(const Node& node) : MakeTableKernel(node, TableKind::kDense) {
    dense_.buckets = GetAttr<int64_t>(node.attrs, "initial_num_buckets");
    dense_.max_load_factor = GetAttr<float>(node.attrs, "max_load_factor");
  }
  void Run(KernelContext& context) override {
    DenseSpec dense = dense_;
    dense.empty_key = Unaliased(context.input(0));
    dense.deleted_key = Unaliased(context.input(1));
    Describe(context, &dense);
  }

 private:
  DenseSpec dense_;
};

// Without a deleted key no table is made, but one of this name may be there.
class FindDenseTableKernel : public MakeTableKernel {
 public:
  explicit FindDenseTableKernel(const Node& node) : MakeTableKernel(node, TableKind::kDense) {}
  void Run(KernelContext& context) override {
    Require(context.resources().Find<LookupTable>(name_) != nullptr, "a new table needs a ",
            "deleted_key, which only MutableDenseHashTableV2 has");
    Describe(context, nullptr);
  }
};

// Inputs 1 and 2 are keys and as many values.
class FillKernel : public TableKernel {
 public:
  using TableKernel::TableKernel;

 protected:
  std::shared_ptr<LookupTable> CheckedTableIn(KernelContext& context) const {
    const Tensor &keys = context.input(1), &values = context.input(2);
    auto table = TableIn(context);
    RequireTypes(*table, keys.dtype(), values.dtype());
    Require(values.shape() == ShapeOfValues(*table, keys), "keys of shape ", Printed(keys.shape()),
            " and values of shape ", Printed(values.shape()), " do not belong together");
    return table;
  }

  void Initialize(KernelContext& context, LookupTable& table) const {
    const Tensor& keys = context.input(1);
    Require(keys.rank() == 1 && keys.elements() > 0, "keys must be a vector that is not empty, not ", "of shape ",
            Printed(keys.shape()));
    table.Initialize(keys, context.input(2));
  }
};

class InitializeTableKernel : public FillKernel {
 public:
  using FillKernel::FillKernel;
  void Run(KernelContext& context) override { Initialize(context, *CheckedTableIn(context)); }
};

class ImportKernel : public FillKernel {
 public:
  using FillKernel::FillKernel;
  void Run(KernelContext& context) override {
    const auto table = TableIn(context);
    if (table->spec().kind == TableKind::kDense) {
      CheckBuckets(context, *table);
    } else {
      CheckedTableIn(context);
    }
    if (!table->is_mutable()) return Initialize(context, *table);
    table->Replace(context.input(1), context.input(2));
  }

 private:
  // L9: a row for each bucket.
  void CheckBuckets(KernelContext& context, LookupTable& table) const {
    const Tensor &keys = context.input(1), &values = context.input(2);
    RequireTypes(table, keys.dtype(), values.dtype());
    const int64_t rows = keys.rank() == 0 ? 0 : keys.dim(0);
    const auto key_count = CheckedMultiply(rows, table.key_shape().elements());
    const auto value_count = CheckedMultiply(rows, table.spec().value_shape.elements());
    Require(keys.rank() == 2 && values.rank() == 2 && values.dim(0) == rows && key_count == keys.elements() &&
                value_count == values.elements(),
            "there must be a key and a value for each bucket, not keys of shape ", Printed(keys.shape()),
            " and values of shape ", Printed(values.shape()));
  }
};

class InsertKernel : public FillKernel {
 public:
  using FillKernel::FillKernel;
  void Run(KernelContext& context) override {
    const auto table = CheckedTableIn(context);
    if (!table->is_mutable()) throw Unimplemented("a table that is filled once does not change");
    table->Insert(context.input(1), context.input(2));
  }
};

class RemoveKernel : public TableKernel {
 public:
  using TableKernel::TableKernel;
  void Run(KernelContext& context) override {
    const auto table = TableIn(context);
    RequireTypes(*table, context.input(1).dtype(), table->value_type());
    ShapeOfValues(*table, context.input(1));
    table->Remove(context.input(1));
  }
};

class FindKernel : public TableKernel {
 public:
  using TableKernel::TableKernel;

  void Run(KernelContext& context) override {
    const Tensor &keys = context.input(1), &default_value = context.input(2);
    const auto table = TableIn(context);
    RequireTypes(*table, keys.dtype(), default_value.dtype());
    const Shape shape = ShapeOfValues(*table, keys);
    const Shape& each = table->spec().value_shape;
    Require(default_value.shape() == each || default_value.shape() == shape,
            "default_value must be the value of one key, or of each, not of shape ",
            Printed(default_value.shape()));  // L4
    const auto entries = table->Entries();
    if (entries == nullptr) throw FailedPrecondition("Table not initialized");
    Tensor& values = context.AllocateOutput(0, default_value.dtype(), shape);
    const bool takes_first = !table->is_mutable() && default_value.elements() > 1;
    entries->Find(context.pool(), keys, takes_first ? FirstOf(default_value) : default_value, values);
  }

 private:
  static Tensor FirstOf(const Tensor& values) { return values.Reshaped({values.elements()}).Rows(0, 1); }
};

class TableSizeKernel : public TableKernel {
 public:
  using TableKernel::TableKernel;
  void Run(KernelContext& context) override {
    const auto entries = TableIn(context)->Entries();
    context.AllocateOutput(0, DType::kInt64, Shape()).mutable_data<int64_t>()[0] =
        entries == nullptr ? 0 : entries->size();
  }
};

class ExportKernel : public TableKernel {
 public:
  explicit ExportKernel(const Node& node)
      : TableKernel(node), key_type_(OutputType(node, 0)), value_type_(OutputType(node, 1)) {}
  void Run(KernelContext& context) override {
    const auto table = TableIn(context);
    RequireTypes(*table, key_type_, value_type_);
    const auto entries = table->Entries();
    if (entries == nullptr) throw Error(Code::kAborted, Str("the table is not initialized"));
    const bool is_dense = table->spec().kind == TableKind::kDense;
    const auto shape_of = [&](const Shape& each) {
      return RowsOf(entries->rows(), is_dense ? Shape({each.elements()}) : each);
    };
    Tensor& keys = context.AllocateOutput(0, key_type_, shape_of(entries->key_shape()));
    entries->Export(keys, context.AllocateOutput(1, value_type_, shape_of(table->spec().value_shape)));
  }

 private:
  const DType key_type_, value_type_;
};

constexpr KernelRow kRows[] = {
    {"HashTable", MakeWith<MakeTableKernel, TableKind::kFilledOnce>},
    {"HashTableV2", MakeWith<MakeTableKernel, TableKind::kFilledOnce>},
    {"MutableHashTable", MakeWith<MakeTableKernel, TableKind::kMutable>},
    {"MutableHashTableV2", MakeWith<MakeTableKernel, TableKind::kMutable>},
    {"MutableHashTableOfTensors", MakeWith<MakeTableKernel, TableKind::kMutable>},
    {"MutableHashTableOfTensorsV2", MakeWith<MakeTableKernel, TableKind::kMutable>},
    {"MutableDenseHashTable", Make<FindDenseTableKernel>},
    {"MutableDenseHashTableV2", Make<MakeDenseTableKernel>},
    {"InitializeTable", Make<InitializeTableKernel>},
    {"InitializeTableV2", Make<InitializeTableKernel>},
    {"LookupTableInsert", Make<InsertKernel>},
    {"LookupTableInsertV2", Make<InsertKernel>},
    {"LookupTableRemoveV2", Make<RemoveKernel>},
    {"LookupTableImport", Make<ImportKernel>},
    {"LookupTableImportV2", Make<ImportKernel>},
    {"LookupTableExport", Make<ExportKernel>},
    {"LookupTableExportV2", Make<ExportKernel>},
    {"LookupTableFind", Make<FindKernel>},
    {"LookupTableFindV2", Make<FindKernel>},
    {"LookupTableSize", Make<TableSizeKernel>},
    {"LookupTableSizeV2", Make<TableSizeKernel>},
};

}  // namespace

std::span<const KernelRow> DataFlowTable() { return kRows; }

}  // namespace plumb::fast::cpu
