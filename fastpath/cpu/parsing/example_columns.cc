#include "fastpath/cpu/parsing/example_columns.h"

#include "fastpath/cpu/lib/printed.h"

namespace plumb::fast::cpu {
namespace {

ExampleColumn DenseColumn(DType type, const PartialShape& shape) {
  Require(shape.has_rank(), "the rank of a dense shape must be known");
  const bool is_variable = shape.rank() > 0 && shape.dim(0) < 0;
  const std::vector<int64_t> entry(shape.dims().begin() + (is_variable ? 1 : 0), shape.dims().end());
  ExampleColumn column;
  column.kind = is_variable ? ColumnKind::kVariable : ColumnKind::kFixed;
  column.type = type;
  column.entry = PartialShape(entry).ToShape();
  column.size = column.entry.elements();
  Require(!is_variable || column.size > 0, "a first dimension that varies needs entries, which ", Printed(column.entry),
          " has not");
  return column;
}

}  // namespace

ExampleColumns::ExampleColumns(const Node& of, bool has_ragged) : node(of.name) {
  using Types = std::vector<DType>;
  for (const DType type : GetAttr<Types>(of.attrs, "sparse_types")) columns.push_back({ColumnKind::kSparse, type});
  sparse = columns.size();
  const auto& dense_types = GetAttr<Types>(of.attrs, "Tdense");
  const auto& shapes = GetAttr<std::vector<PartialShape>>(of.attrs, "dense_shapes");
  dense = dense_types.size();
  Require(shapes.size() == dense, dense, " types in Tdense, and ", shapes.size(), " dense_shapes");
  for (size_t d = 0; d < dense; ++d) columns.push_back(DenseColumn(dense_types[d], shapes[d]));
  if (!has_ragged) return;
  const auto& values = GetAttr<Types>(of.attrs, "ragged_value_types");
  const auto& splits = GetAttr<Types>(of.attrs, "ragged_split_types");
  Require(values.size() == splits.size(), values.size(), " ragged_value_types, and ", splits.size(),
          " ragged_split_types");
  ragged = values.size();
  for (size_t d = 0; d < ragged; ++d) columns.push_back({ColumnKind::kRagged, values[d], splits[d]});
}

void ExampleColumns::CheckKeys(size_t sparse_keys, size_t dense_keys, size_t ragged_keys) const {
  Require(sparse_keys == sparse && dense_keys == dense && ragged_keys == ragged, sparse, ", ", dense, " and ", ragged,
          " keys of sparse, dense and ragged features are needed, not ", sparse_keys, ", ", dense_keys, " and ",
          ragged_keys);
}

void ExampleColumns::CheckDefaults(const KernelContext& context, int first_default) const {
  for (size_t d = 0; d < dense; ++d) {
    const ExampleColumn& column = columns[sparse + d];
    const Tensor& standard = context.input(first_default + static_cast<int>(d));
    if (column.kind == ColumnKind::kVariable) {
      Require(standard.elements() == 1, "default ", d, " pads, and so is one value, not ", Printed(standard.shape()));
    } else {
      Require(standard.elements() == 0 || standard.shape() == column.entry, "default ", d, " is empty or of shape ",
              Printed(column.entry), ", not ", Printed(standard.shape()));
    }
  }
}

}  // namespace plumb::fast::cpu
