#include "reference/ops/parsing/sequence_columns.h"

#include <algorithm>
#include <map>

#include "reference/ops/lib/integer_tensor.h"
#include "reference/ops/parsing/feature_values.h"

namespace plumb::reference {
namespace {

using Rows = std::vector<Tensor>;

// Results, one for each feature of a kind.
struct Columns {
  std::vector<Tensor> indices, values, shapes;             // sparse
  std::vector<Tensor> dense, lengths;                      // dense
  std::vector<Tensor> ragged, outer_splits, inner_splits;  // ragged
};

class ColumnMaker {
 public:
  ColumnMaker(OpContext& c, const SequenceRequest& request, const std::vector<SequenceFeatures>& messages,
              bool is_batch)
      : c_(c), request_(request), messages_(messages), is_batch_(is_batch) {}

  Columns Context() const {
    const FeatureGroup& group = request_.context;
    Columns columns;
    for (size_t d = 0; d < group.sparse_keys.size(); ++d) {
      std::vector<Rows> lists;
      for (const Tensor& values : ContextRows(group.sparse_keys[d], group.sparse_types[d])) lists.push_back({values});
      AddSparse(lists, group.sparse_types[d], false, columns);
    }
    for (size_t d = 0; d < group.dense_keys.size(); ++d) columns.dense.push_back(ContextDense(d));
    for (size_t d = 0; d < group.ragged_keys.size(); ++d) {
      const Rows rows = ContextRows(group.ragged_keys[d], group.ragged_types[d]);
      std::vector<int64_t> sizes;
      for (const Tensor& row : rows) sizes.push_back(row.elements());
      columns.ragged.push_back(Joined(group.ragged_types[d], rows));
      columns.outer_splits.push_back(Splits(group.splits_types[d], sizes));
    }
    return columns;
  }

  Columns Lists() const {
    const FeatureGroup& group = request_.lists;
    Columns columns;
    for (size_t d = 0; d < group.sparse_keys.size(); ++d) {
      AddSparse(ListRows(group.sparse_keys[d], group.sparse_types[d]), group.sparse_types[d], true, columns);
    }
    for (size_t d = 0; d < group.dense_keys.size(); ++d) AddDenseList(d, columns);
    for (size_t d = 0; d < group.ragged_keys.size(); ++d) {
      Rows all;
      std::vector<int64_t> lengths, sizes;
      for (const Rows& rows : ListRows(group.ragged_keys[d], group.ragged_types[d])) {
        lengths.push_back(std::ssize(rows));
        for (const Tensor& row : rows) sizes.push_back(row.elements());
        all.insert(all.end(), rows.begin(), rows.end());
      }
      columns.ragged.push_back(Joined(group.ragged_types[d], all));
      columns.outer_splits.push_back(Splits(group.splits_types[d], lengths));
      columns.inner_splits.push_back(IntegerVector(group.splits_types[d], Sums(sizes)));
    }
    return columns;
  }

 private:
  Rows ContextRows(const std::string& key, DType type) const {
    Rows rows;
    for (const auto& message : messages_) rows.push_back(message.context(key, type).value_or(Tensor(type, {0})));
    return rows;
  }
  std::vector<Rows> ListRows(const std::string& key, DType type) const {
    std::vector<Rows> lists;
    for (const auto& message : messages_) lists.push_back(message.list(key, type).value_or(Rows()));
    return lists;
  }
  static std::vector<int64_t> Sums(const std::vector<int64_t>& sizes) {
    std::vector<int64_t> sums = {0};
    for (const int64_t size : sizes) sums.push_back(sums.back() + size);
    return sums;
  }
  // Where the parts of each message begin; of one message a scalar that says nothing.
  Tensor Splits(DType type, const std::vector<int64_t>& sizes) const {
    return is_batch_ ? IntegerVector(type, Sums(sizes)) : Zeros(type, Shape());
  }
  Shape Batched(std::vector<int64_t> dims) const {
    if (is_batch_) dims.insert(dims.begin(), std::ssize(messages_));
    return PartialShape(dims).ToShape();
  }

  // Coordinates are message, row and place; without rows where there is but one.
  void AddSparse(const std::vector<Rows>& lists, DType type, bool has_rows, Columns& columns) const {
    std::vector<int64_t> indices;
    Rows all;
    int64_t longest = 0, widest = 0;
    for (int64_t e = 0; e < std::ssize(lists); ++e) {
      for (int64_t row = 0; row < std::ssize(lists[e]); ++row) {
        const int64_t size = lists[e][row].elements();
        for (int64_t i = 0; i < size; ++i) {
          if (is_batch_) indices.push_back(e);
          if (has_rows) indices.push_back(row);
          indices.push_back(i);
        }
        widest = std::max(widest, size);
        all.push_back(lists[e][row]);
      }
      longest = std::max(longest, std::ssize(lists[e]));
    }
    const Shape shape = has_rows ? Batched({longest, widest}) : Batched({widest});
    const Tensor values = Joined(type, all);
    columns.indices.push_back(IntegerTensor(DType::kInt64, {values.elements(), shape.rank()}, indices));
    columns.values.push_back(values);
    columns.shapes.push_back(IntegerVector(DType::kInt64, shape.ToVector()));
  }

  Tensor ContextDense(size_t d) const {
    const FeatureGroup& group = request_.context;
    const std::string& key = group.dense_keys[d];
    const DType type = group.dense_types[d];
    const Shape shape = group.dense_shapes[d].ToShape();
    const Tensor& standard = c_.tensor(request_.first_default + static_cast<int>(d));
    Require(standard.elements() == 0 || standard.shape() == shape, "the default of '", key, "' has the shape ",
            standard.shape().ToString(), " instead of ", shape.ToString());
    int64_t most = standard.elements();
    for (const Tensor& row : ContextRows(key, type)) most = std::max(most, row.elements());
    Require(most == shape.elements(), "the feature '", key, "' has ", most, " values, and needs ", shape.elements());
    Assembly result(type, Batched(shape.ToVector()));
    for (int64_t e = 0; e < std::ssize(messages_); ++e) {
      const auto found = messages_[e].context(key, type);
      Require(found || standard.elements() > 0, "the feature '", key, "' is missing in message ", e);
      const Tensor& values = found ? *found : standard;
      Require(values.elements() == most, "the feature '", key, "' has ", values.elements(), " values in message ", e,
              ", and needs ", most);
      result.Copy(e * most, values, 0, most);
    }
    return result.Take().tensor;
  }

  // Lists that are shorter than the longest end with zeros.
  void AddDenseList(size_t d, Columns& columns) const {
    const FeatureGroup& group = request_.lists;
    const std::string& key = group.dense_keys[d];
    const Shape entry = group.dense_shapes[d].ToShape();
    std::vector<int64_t> lengths;
    for (int64_t e = 0; e < std::ssize(messages_); ++e) {
      const auto rows = messages_[e].list(key, group.dense_types[d]);
      Require(rows || request_.may_miss.at(d), "the list '", key, "' is missing in message ", e);
      lengths.push_back(rows ? std::ssize(*rows) : 0);
    }
    const int64_t longest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
    std::vector<int64_t> dims = entry.ToVector();
    dims.insert(dims.begin(), longest);
    Assembly result(group.dense_types[d], Batched(dims));
    const std::vector<Rows> lists = ListRows(key, group.dense_types[d]);
    for (int64_t e = 0; e < std::ssize(lists); ++e) {
      for (int64_t row = 0; row < std::ssize(lists[e]); ++row) {
        const Tensor& values = lists[e][row];
        Require(values.elements() == entry.elements(), "row ", row, " of the list '", key, "' has ", values.elements(),
                " values in message ", e, ", and needs ", entry.elements());
        result.Copy((e * longest + row) * entry.elements(), values, 0, entry.elements());
      }
    }
    columns.dense.push_back(result.Take().tensor);
    columns.lengths.push_back(IntegerTensor(DType::kInt64, Batched({}), lengths));
  }

  OpContext& c_;
  const SequenceRequest& request_;
  const std::vector<SequenceFeatures>& messages_;
  const bool is_batch_;
};

void CheckCounts(const FeatureGroup& group) {
  Require(group.sparse_keys.size() == group.sparse_types.size() &&
              group.dense_keys.size() == group.dense_types.size() &&
              group.ragged_keys.size() == group.ragged_types.size(),
          "there must be one key for each type of a feature");
}

void CheckGroupForms(const FeatureGroup& group) {
  std::map<std::string, char> forms;
  const auto check = [&](const std::vector<std::string>& keys, char form) {
    for (const std::string& key : keys) {
      Require(forms.emplace(key, form).first->second == form, "the feature '", key, "' is asked for in two forms");
    }
  };
  check(group.sparse_keys, 's');
  check(group.ragged_keys, 'r');
  check(group.dense_keys, 'd');
}

}  // namespace

FeatureGroup::FeatureGroup(const Node& node, const std::string& prefix, const std::string& dense, bool has_ragged)
    : sparse_types(GetAttr<std::vector<DType>>(node.attrs, prefix + "_sparse_types")),
      dense_types(GetAttr<std::vector<DType>>(node.attrs, dense)),
      dense_shapes(GetAttr<std::vector<PartialShape>>(node.attrs, prefix + "_dense_shapes")) {
  Require(GetAttr<int64_t>(node.attrs, "N" + prefix + "_sparse") == std::ssize(sparse_types), "N", prefix,
          "_sparse must be the number of types, ", sparse_types.size());
  Require(dense_shapes.size() == dense_types.size(), "there are ", dense_shapes.size(), " ", prefix,
          "_dense_shapes for ", dense_types.size(), " types");
  for (const PartialShape& shape : dense_shapes) {
    Require(shape.IsFullyDefined(), "the shape of a dense feature must be known, not ", shape.ToString());
    shape.ToShape();
  }
  if (!has_ragged) return;
  ragged_types = GetAttr<std::vector<DType>>(node.attrs, prefix + "_ragged_value_types");
  splits_types = GetAttr<std::vector<DType>>(node.attrs, prefix + "_ragged_split_types");
  Require(ragged_types.size() == splits_types.size(), "there are ", splits_types.size(), " ", prefix,
          "_ragged_split_types for ", ragged_types.size(), " types of values");
}

SequenceRequest::SequenceRequest(const Node& node, bool has_ragged)
    : context(node, "context", "Tcontext_dense", has_ragged),
      lists(node, "feature_list", "feature_list_dense_types", has_ragged) {
  const auto check = [&](std::string_view attr, const std::vector<DType>& types) {
    const auto said = node.attrs.find(attr);
    Require(said == node.attrs.end() || *said->second.Get<int64_t>() == std::ssize(types), attr,
            " must be the number of types, ", types.size());
  };
  check("Ncontext_sparse", context.sparse_types);
  check("Ncontext_dense", context.dense_types);
  check("Nfeature_list_sparse", lists.sparse_types);
  check("Nfeature_list_dense", lists.dense_types);
}

void SequenceRequest::CheckKeys() const {
  CheckCounts(context);
  CheckCounts(lists);
}

void SequenceRequest::CheckForms() const {
  CheckGroupForms(context);
  CheckGroupForms(lists);
}

void OutputSequences(OpContext& c, const SequenceRequest& request, const std::vector<SequenceFeatures>& messages,
                     bool is_batch) {
  request.CheckKeys();
  const ColumnMaker maker(c, request, messages, is_batch);
  const Columns context = maker.Context(), lists = maker.Lists();
  int output = 0;
  const auto put = [&](const std::vector<Tensor>& tensors) {
    for (const Tensor& tensor : tensors) c.Output(output++, tensor);
  };
  for (const auto* group : {&context.indices, &context.values, &context.shapes, &context.dense, &context.ragged,
                            &context.outer_splits, &lists.indices, &lists.values, &lists.shapes, &lists.dense}) {
    put(*group);
  }
  if (request.has_lengths) put(lists.lengths);
  for (const auto* group : {&lists.ragged, &lists.outer_splits, &lists.inner_splits}) put(*group);
}

}  // namespace plumb::reference
