#include <algorithm>
#include <set>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/integer_tensor.h"
#include "reference/ops/parsing/example_message.h"

namespace plumb::reference {
namespace {

// ---- What is asked for ---------------------------------------------------------------------------------------------

using Keys = std::vector<std::string>;
using Types = std::vector<DType>;

// A dense shape is known but for its first dimension, which may differ from example to example.
bool IsVariable(const PartialShape& shape) { return shape.has_rank() && shape.rank() > 0 && shape.dim(0) < 0; }
// One entry along a first dimension that varies; all of another shape.
Shape EntryShape(const PartialShape& shape) {
  std::vector<int64_t> dims = shape.dims();
  if (IsVariable(shape)) dims.erase(dims.begin());
  return PartialShape(dims).ToShape();
}

struct Wanted {
  explicit Wanted(const Node& node)
      : sparse_types(GetAttr<Types>(node.attrs, "sparse_types")),
        dense_types(GetAttr<Types>(node.attrs, "Tdense")),
        dense_shapes(GetAttr<std::vector<PartialShape>>(node.attrs, "dense_shapes")) {}

  Keys sparse_keys, dense_keys, ragged_keys;
  Types sparse_types, dense_types, ragged_types, splits_types;
  std::vector<PartialShape> dense_shapes;
  int first_default = 0;
};

void CheckShapes(const Node& node) {
  const Wanted wanted(node);
  Require(wanted.dense_shapes.size() == wanted.dense_types.size(), wanted.dense_shapes.size(), " dense_shapes for ",
          wanted.dense_types.size(), " dense features");
  for (const PartialShape& shape : wanted.dense_shapes) {
    Require(shape.has_rank(), "a dense shape must have a known rank");
    const Shape entry = EntryShape(shape);
    Require(!IsVariable(shape) || entry.elements() > 0, "the entries of a dense feature of shape ", shape.ToString(),
            " would be empty");
  }
}

void CheckSizes(const Wanted& wanted, const OpContext& c) {
  Require(wanted.sparse_keys.size() == wanted.sparse_types.size(), wanted.sparse_keys.size(), " sparse keys for ",
          wanted.sparse_types.size(), " types");
  Require(wanted.dense_keys.size() == wanted.dense_types.size(), wanted.dense_keys.size(), " dense keys for ",
          wanted.dense_types.size(), " types");
  Require(wanted.ragged_keys.size() == wanted.ragged_types.size(), wanted.ragged_keys.size(), " ragged keys for ",
          wanted.ragged_types.size(), " types");
  for (size_t d = 0; d < wanted.dense_shapes.size(); ++d) {
    const Tensor& standard = c.tensor(wanted.first_default + static_cast<int>(d));
    const PartialShape& shape = wanted.dense_shapes[d];
    if (IsVariable(shape)) {
      Require(standard.elements() == 1, "the default of '", wanted.dense_keys[d], "' must be one value to pad with");
    } else if (standard.elements() > 0) {
      Require(shape.IsCompatibleWith(standard.shape()), "the default of '", wanted.dense_keys[d], "' has the shape ",
              standard.shape().ToString(), " instead of ", shape.ToString());
    }
  }
  std::set<std::string> keys;
  for (const Keys* group : {&wanted.sparse_keys, &wanted.dense_keys, &wanted.ragged_keys}) {
    for (const std::string& key : *group) {
      if (!keys.insert(key).second) throw InvalidArgument("the key '", key, "' is asked for twice");
    }
  }
}

// ---- Many examples, or one -----------------------------------------------------------------------------------------

class Parser {
 public:
  Parser(OpContext& c, const Wanted& wanted, bool is_batch) : c_(c), wanted_(wanted), is_batch_(is_batch) {
    for (const std::string& bytes : c.tensor(0).data<std::string>()) examples_.push_back(ReadExample(bytes));
  }

  void Run() {
    const auto sparse = std::ssize(wanted_.sparse_keys), dense = std::ssize(wanted_.dense_keys);
    const auto ragged = std::ssize(wanted_.ragged_keys);
    for (int64_t d = 0; d < sparse; ++d) Sparse(d, sparse);
    for (int64_t d = 0; d < dense; ++d) {
      c_.Output(static_cast<int>(3 * sparse + d), IsVariable(wanted_.dense_shapes[d]) ? Variable(d) : Fixed(d));
    }
    for (int64_t d = 0; d < ragged; ++d) {
      const auto output = static_cast<int>(3 * sparse + dense + d);
      const std::vector<Tensor> rows = Rows(wanted_.ragged_keys[d], wanted_.ragged_types[d], !is_batch_);
      std::vector<int64_t> splits = {0};
      for (const Tensor& row : rows) splits.push_back(splits.back() + row.elements());
      if (!is_batch_) splits.clear();
      c_.Output(output, Joined(wanted_.ragged_types[d], rows));
      c_.Output(output + static_cast<int>(ragged), IntegerVector(wanted_.splits_types[d], splits));
    }
  }

 private:
  // The values that each example has under a key, none where it has no such feature.
  std::vector<Tensor> Rows(const std::string& key, DType type, bool skips_empty) const {
    std::vector<Tensor> rows;
    for (const auto& example : examples_) {
      rows.push_back(FindFeature(example, key, type, skips_empty).value_or(Tensor(type, {0})));
    }
    return rows;
  }
  // `shape` behind the number of examples, if there may be several.
  Shape Batched(std::vector<int64_t> dims) const {
    if (is_batch_) dims.insert(dims.begin(), std::ssize(examples_));
    return PartialShape(dims).ToShape();
  }
  const Tensor& Default(int64_t d) const { return c_.tensor(wanted_.first_default + static_cast<int>(d)); }

  void Sparse(int64_t d, int64_t count) {
    const std::vector<Tensor> rows = Rows(wanted_.sparse_keys[d], wanted_.sparse_types[d], !is_batch_);
    std::vector<int64_t> indices;
    int64_t total = 0, longest = 0;
    for (int64_t e = 0; e < std::ssize(rows); ++e) {
      const int64_t size = rows[e].elements();
      for (int64_t i = 0; i < size; ++i) {
        if (is_batch_) indices.push_back(e);
        indices.push_back(i);
      }
      total += size;
      longest = std::max(longest, size);
    }
    const Shape shape = Batched({longest});
    c_.Output(static_cast<int>(d), IntegerTensor(DType::kInt64, {total, shape.rank()}, indices));
    c_.Output(static_cast<int>(count + d), Joined(wanted_.sparse_types[d], rows));
    c_.Output(static_cast<int>(2 * count + d), IntegerVector(DType::kInt64, shape.ToVector()));
  }

  Tensor Fixed(int64_t d) const {
    const Shape shape = EntryShape(wanted_.dense_shapes[d]);
    const std::string& key = wanted_.dense_keys[d];
    Assembly result(wanted_.dense_types[d], Batched(shape.ToVector()));
    for (int64_t e = 0; e < std::ssize(examples_); ++e) {
      const auto found = FindFeature(examples_[e], key, wanted_.dense_types[d], true);
      Require(found || Default(d).elements() > 0, "the feature '", key, "' is missing in example ", e);
      const Tensor& values = found ? *found : Default(d);
      Require(values.elements() == shape.elements(), "the feature '", key, "' has ", values.elements(),
              " values in example ", e, ", and needs ", shape.elements());
      result.Copy(e * shape.elements(), values, 0, shape.elements());
    }
    return result.Take().tensor;
  }

  // The default fills up what others have more.
  Tensor Variable(int64_t d) const {
    const std::vector<Tensor> rows = Rows(wanted_.dense_keys[d], wanted_.dense_types[d], true);
    const Shape entry = EntryShape(wanted_.dense_shapes[d]);
    int64_t longest = 0;
    for (const Tensor& row : rows) {
      Require(row.elements() % entry.elements() == 0, "the feature '", wanted_.dense_keys[d], "' has ", row.elements(),
              " values, no multiple of ", entry.elements());
      longest = std::max(longest, row.elements());
    }
    std::vector<int64_t> dims = entry.ToVector();
    dims.insert(dims.begin(), longest / entry.elements());
    Assembly result(wanted_.dense_types[d], Batched(dims));
    for (int64_t e = 0; e < std::ssize(rows); ++e) {
      result.Copy(e * longest, rows[e], 0, rows[e].elements());
      for (int64_t i = rows[e].elements(); i < longest; ++i) result.Copy(e * longest + i, Default(d), 0);
    }
    return result.Take().tensor;
  }

  OpContext& c_;
  const Wanted& wanted_;
  const bool is_batch_;
  std::vector<std::vector<ExampleEntry>> examples_;
};

// ---- The ops -------------------------------------------------------------------------------------------------------

void CheckNames(const OpContext& c) {
  const Tensor &serialized = c.tensor(0), &names = c.tensor(1);
  Require(names.elements() == 0 || names.shape() == serialized.shape(), "names must have the shape of serialized, ",
          serialized.shape().ToString(), ", not ", names.shape().ToString());
}

void Parse(OpContext& c, const Wanted& wanted) {
  CheckSizes(wanted, c);
  Parser(c, wanted, c.tensor(0).rank() == 1).Run();
}

void ParseExample(OpContext& c) {
  Wanted wanted(c.node);
  int input = 2;
  const auto scalars = [&](int64_t count, Keys& keys) {
    for (int64_t i = 0; i < count; ++i) keys.push_back(c.tensor(input++).scalar<std::string>());
  };
  scalars(c.attr<int64_t>("Nsparse"), wanted.sparse_keys);
  scalars(c.attr<int64_t>("Ndense"), wanted.dense_keys);
  wanted.first_default = input;
  Require(c.tensor(0).rank() == 1, "serialized must be a vector, not of shape ", c.tensor(0).shape().ToString());
  CheckNames(c);
  Parse(c, wanted);
}

void ParseExampleV2(OpContext& c) {
  Wanted wanted(c.node);
  wanted.ragged_types = c.attr<Types>("ragged_value_types");
  wanted.splits_types = c.attr<Types>("ragged_split_types");
  const auto keys = [&](int input) {
    const auto texts = c.tensor(input).data<std::string>();
    return Keys(texts.begin(), texts.end());
  };
  wanted.sparse_keys = keys(2);
  wanted.dense_keys = keys(3);
  wanted.ragged_keys = keys(4);
  wanted.first_default = 5;
  Require(c.tensor(0).rank() <= 1, "serialized must be a scalar or a vector, not of shape ",
          c.tensor(0).shape().ToString());
  CheckNames(c);
  Parse(c, wanted);
}

void ParseSingleExample(OpContext& c) {
  Wanted wanted(c.node);
  wanted.sparse_keys = c.attr<Keys>("sparse_keys");
  wanted.dense_keys = c.attr<Keys>("dense_keys");
  wanted.first_default = 1;
  Require(c.tensor(0).rank() == 0, "serialized must be a scalar, not of shape ", c.tensor(0).shape().ToString());
  Parse(c, wanted);
}

void CheckCounts(const Node& node, const char* sparse) {
  CheckShapes(node);
  const auto types = std::ssize(GetAttr<Types>(node.attrs, "sparse_types"));
  Require(GetAttr<int64_t>(node.attrs, sparse) == types, "there are ", types, " sparse_types for ",
          GetAttr<int64_t>(node.attrs, sparse), " sparse features");
}
void CheckExample(const Node& node) {
  CheckCounts(node, "Nsparse");
  Require(GetAttr<int64_t>(node.attrs, "Ndense") == std::ssize(GetAttr<Types>(node.attrs, "Tdense")),
          "Ndense must be the number of types in Tdense");
}
void CheckExampleV2(const Node& node) {
  CheckCounts(node, "num_sparse");
  Require(GetAttr<Types>(node.attrs, "ragged_value_types").size() ==
              GetAttr<Types>(node.attrs, "ragged_split_types").size(),
          "every ragged feature needs a type of its values and one of its splits");
}
void CheckSingle(const Node& node) {
  CheckCounts(node, "num_sparse");
  Require(GetAttr<Keys>(node.attrs, "sparse_keys").size() == GetAttr<Types>(node.attrs, "sparse_types").size() &&
              GetAttr<Keys>(node.attrs, "dense_keys").size() == GetAttr<Types>(node.attrs, "Tdense").size(),
          "every key needs a type");
}

constexpr KernelRow kRows[] = {
    {"ParseExample", ParseExample, CheckExample},
    {"ParseExampleV2", ParseExampleV2, CheckExampleV2},
    {"ParseSingleExample", ParseSingleExample, CheckSingle},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ParsingExample() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
