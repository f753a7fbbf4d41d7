#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <numeric>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/row_splits.h"
#include "fastpath/cpu/parsing/example_columns.h"
#include "fastpath/cpu/parsing/wire.h"

namespace plumb::fast::cpu {
namespace {

using Keys = std::vector<std::string_view>;

// Finds the features of all examples first, then counts the values of columns whose size is not known, and writes last.
class Parser {
 public:
  // `keys` are those of all columns, and live as long as the parser.
  Parser(KernelContext& context, const ExampleColumns& wanted, const Keys& keys, int first_default)
      : context_(context),
        wanted_(wanted),
        keys_(keys),
        first_default_(first_default),
        is_batch_(context.input(0).rank() == 1),
        examples_(context.input(0).data<std::string>()) {
    wanted.CheckDefaults(context, first_default);
    for (size_t column = 0; column < keys.size(); ++column) {
      if (!columns_.emplace(keys[column], column).second) {
        throw InvalidArgument("two features have the key '", keys[column], "'");
      }
    }
    found_.resize(examples_.size() * keys.size());
  }

  void Run() {
    ForExamples([&](int64_t e) { FindFeatures(e); });
    for (size_t column = 0; column < wanted_.columns.size(); ++column) {
      if (Column(column).kind == ColumnKind::kFixed) {
        WriteFixed(column);
      } else {
        WriteCounted(column);
      }
    }
  }

 private:
  const ExampleColumn& Column(size_t column) const { return wanted_.columns[column]; }
  std::string_view& Found(int64_t e, size_t column) { return found_[e * wanted_.columns.size() + column]; }
  bool IsDense(size_t column) const { return column >= wanted_.sparse && column < wanted_.sparse + wanted_.dense; }
  const Tensor& Default(size_t column) const {
    return context_.input(first_default_ + static_cast<int>(column - wanted_.sparse));
  }
  template <class F>
  void ForExamples(const F& f) {
    constexpr int64_t kGrain = 32;
    context_.pool().ParallelFor(std::ssize(examples_), kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t e = begin; e < end; ++e) f(e);
    });
  }
  // The number of examples, if there may be several, and these.
  Shape Batched(const Dims& dims) const {
    if (!is_batch_) return dims.ToShape();
    Dims all;
    all.Append(std::ssize(examples_));
    for (int axis = 0; axis < dims.rank; ++axis) all.Append(dims[axis]);
    return all.ToShape();
  }

  void FindFeatures(int64_t e) {
    WireCursor cursor(examples_[e]);
    while (!cursor.AtEnd()) {
      if (!cursor.Accept(Tag(1, Wire::kBytes))) {
        cursor.Skip();
        continue;
      }
      cursor.Within(cursor.Length(), [&] {
        while (!cursor.AtEnd()) {
          cursor.Need(Tag(1, Wire::kBytes));
          cursor.Within(cursor.Length(), [&] { FindEntry(cursor, e); });
        }
      });
    }
  }

  // What comes later takes the place of what came before. An empty feature does so only in columns of many examples
  // that are not dense.
  void FindEntry(WireCursor& cursor, int64_t e) {
    std::string_view key, feature;
    for (int field = 0; field < 2; ++field) {
      const uint32_t tag = cursor.Length();
      Require(tag == Tag(1, Wire::kBytes) || tag == Tag(2, Wire::kBytes), "example ", e,
              " has an entry with a field of tag ", tag);
      (tag == Tag(1, Wire::kBytes) ? key : feature) = cursor.Text();
    }
    Require(cursor.AtEnd(), "example ", e, " has an entry with more than two fields");
    const auto column = columns_.find(key);
    if (column == columns_.end()) return;
    if (feature.empty()) {
      if (is_batch_ && !IsDense(column->second)) Found(e, column->second) = {};
      return;
    }
    const auto tag = static_cast<uint8_t>(feature[0]);
    Require(tag == ListTag(DType::kString) || tag == ListTag(DType::kFloat) || tag == ListTag(DType::kInt64),
            "example ", e, " has a feature '", key, "' of an unknown type");
    Found(e, column->second) = feature;
  }

  // Takes the values of a feature; refuses those of another type.
  template <class Sink>
  void Take(int64_t e, size_t column, Sink& sink) {
    const std::string_view feature = Found(e, column);
    Require(static_cast<uint8_t>(feature[0]) == ListTag(Column(column).type), "example ", e, " has a feature '",
            keys_[column], "' whose values are not of type ", DTypeName(Column(column).type));
    WireCursor cursor(feature);
    TakeValues(cursor, Column(column).type, Dialect::kExample, sink);
  }

  void WriteFixed(size_t column) {
    const int64_t size = Column(column).size;
    const Tensor& standard = Default(column);
    Tensor& result = context_.AllocateOutput(static_cast<int>(2 * wanted_.sparse + column), Column(column).type,
                                             Batched(Dims(Column(column).entry)));
    void* const elements = result.mutable_raw();
    ForExamples([&](int64_t e) {
      WritingSink sink = SinkAt(elements, Column(column).type, e * size, size);
      if (Found(e, column).empty()) {
        Require(standard.elements() > 0, "example ", e, " lacks the dense feature '", keys_[column],
                "', which has no default");
        CopyValues(standard, sink);
      } else {
        Take(e, column, sink);
      }
      Require(sink.count == size, "example ", e, " has ", sink.count, " of ", size, " values of the dense feature '",
              keys_[column], "'");
    });
  }

  void WriteCounted(size_t column) {
    const auto batch = std::ssize(examples_);
    std::vector<int64_t> begins(static_cast<size_t>(batch) + 1, 0);
    ForExamples([&](int64_t e) {
      CountingSink sink;
      if (!Found(e, column).empty()) Take(e, column, sink);
      begins[e + 1] = sink.count;
    });
    const int64_t longest = *std::max_element(begins.begin(), begins.end());
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    if (Column(column).kind == ColumnKind::kVariable) return WriteVariable(column, begins, longest);
    const int64_t d = static_cast<int64_t>(column) - (Column(column).kind == ColumnKind::kSparse ? 0 : FirstRagged());
    if (Column(column).kind == ColumnKind::kSparse) {
      WriteCoordinates(d, begins, longest);
      WriteValues(column, static_cast<int>(wanted_.sparse + d), begins);
    } else {
      const auto output = static_cast<int>(3 * wanted_.sparse + wanted_.dense + d);
      WriteSplits(output + static_cast<int>(wanted_.ragged), Column(column).splits_type, begins);
      WriteValues(column, output, begins);
    }
  }
  int64_t FirstRagged() const { return static_cast<int64_t>(wanted_.sparse + wanted_.dense); }

  void WriteValues(size_t column, int output, const std::vector<int64_t>& begins) {
    void* const elements = context_.AllocateOutput(output, Column(column).type, Shape({begins.back()})).mutable_raw();
    ForExamples([&](int64_t e) {
      WritingSink sink = SinkAt(elements, Column(column).type, begins[e], begins[e + 1] - begins[e]);
      if (sink.room > 0) Take(e, column, sink);
    });
  }

  void WriteVariable(size_t column, const std::vector<int64_t>& begins, int64_t longest) {
    const int64_t size = Column(column).size;
    const Tensor& padding = Default(column);
    Dims dims;
    dims.Append(longest / size);
    for (const int64_t dim : Column(column).entry.ToVector()) dims.Append(dim);
    ForExamples([&](int64_t e) {
      Require((begins[e + 1] - begins[e]) % size == 0, "example ", e, " has ", begins[e + 1] - begins[e],
              " values of the dense feature '", keys_[column], "', no multiple of ", size);
    });
    void* const elements =
        context_.AllocateOutput(static_cast<int>(2 * wanted_.sparse + column), Column(column).type, Batched(dims))
            .mutable_raw();
    ForExamples([&](int64_t e) {
      WritingSink sink = SinkAt(elements, Column(column).type, e * longest, longest);
      if (begins[e + 1] > begins[e]) Take(e, column, sink);
      while (sink.count < longest) CopyValues(padding, sink);
    });
  }

  void WriteCoordinates(int64_t d, const std::vector<int64_t>& begins, int64_t longest) {
    const int64_t rank = is_batch_ ? 2 : 1;
    int64_t* at = context_.AllocateOutput(static_cast<int>(d), DType::kInt64, Shape({begins.back(), rank}))
                      .mutable_data<int64_t>()
                      .data();
    for (int64_t e = 0; e < std::ssize(examples_); ++e) {
      for (int64_t i = 0; i < begins[e + 1] - begins[e]; ++i) {
        if (is_batch_) *at++ = e;
        *at++ = i;
      }
    }
    const auto output = static_cast<int>(2 * wanted_.sparse + d);
    const auto shape = context_.AllocateOutput(output, DType::kInt64, Shape({rank})).mutable_data<int64_t>();
    if (is_batch_) shape[0] = std::ssize(examples_);
    shape[rank - 1] = longest;
  }

  void WriteSplits(int output, DType type, const std::vector<int64_t>& begins) {
    const int64_t count = is_batch_ ? std::ssize(begins) : 0;
    Tensor& splits = context_.AllocateOutput(output, type, Shape({count}));
    SetSplits(splits, std::span(begins).first(static_cast<size_t>(count)));
  }

  KernelContext& context_;
  const ExampleColumns& wanted_;
  const Keys& keys_;
  const int first_default_;
  const bool is_batch_;
  const std::span<const std::string> examples_;
  absl::flat_hash_map<std::string_view, size_t> columns_;
  std::vector<std::string_view> found_;  // by example and column; empty: none
};

void CheckNames(const KernelContext& context) {
  const Tensor &serialized = context.input(0), &names = context.input(1);
  Require(names.elements() == 0 || names.shape() == serialized.shape(), "names are for each example, ",
          "but their shape is ", Printed(names.shape()));
}

class ParseExampleKernel : public Kernel {
 public:
  explicit ParseExampleKernel(const Node& node) : wanted_(node, false) {
    Require(GetAttr<int64_t>(node.attrs, "Nsparse") ==
                    std::ssize(GetAttr<std::vector<DType>>(node.attrs, "sparse_types")) &&
                GetAttr<int64_t>(node.attrs, "Ndense") == static_cast<int64_t>(wanted_.dense),
            "Nsparse and Ndense must be the numbers of types");
  }
  void Run(KernelContext& context) override {
    Require(context.input(0).rank() == 1, "serialized is a vector, not of shape ", Printed(context.input(0).shape()));
    CheckNames(context);
    const auto count = static_cast<int>(wanted_.sparse + wanted_.dense);
    Keys keys;
    for (int i = 0; i < count; ++i) keys.push_back(context.input(2 + i).scalar<std::string>());
    Parser(context, wanted_, keys, 2 + count).Run();
  }

 private:
  const ExampleColumns wanted_;
};

class ParseExampleV2Kernel : public Kernel {
 public:
  explicit ParseExampleV2Kernel(const Node& node) : wanted_(node, true) {
    Require(GetAttr<int64_t>(node.attrs, "num_sparse") == static_cast<int64_t>(wanted_.sparse),
            "num_sparse must be the number of sparse_types");
  }
  void Run(KernelContext& context) override {
    Require(context.input(0).rank() <= 1, "serialized is a scalar or a vector, not of shape ",
            Printed(context.input(0).shape()));
    CheckNames(context);
    Keys keys;
    for (int input = 2; input < 5; ++input) {
      for (const std::string& key : context.input(input).data<std::string>()) keys.push_back(key);
    }
    const auto count = [&](int input) { return static_cast<size_t>(context.input(input).elements()); };
    wanted_.CheckKeys(count(2), count(3), count(4));
    Parser(context, wanted_, keys, 5).Run();
  }

 private:
  const ExampleColumns wanted_;
};

class ParseSingleExampleKernel : public Kernel {
 public:
  explicit ParseSingleExampleKernel(const Node& node) : wanted_(node, false) {
    keys_ = GetAttr<std::vector<std::string>>(node.attrs, "sparse_keys");
    const size_t sparse = keys_.size();
    const auto& dense = GetAttr<std::vector<std::string>>(node.attrs, "dense_keys");
    keys_.insert(keys_.end(), dense.begin(), dense.end());
    wanted_.CheckKeys(sparse, dense.size(), 0);
    Require(GetAttr<int64_t>(node.attrs, "num_sparse") == std::ssize(keys_) - std::ssize(dense),
            "num_sparse must be the number of sparse_keys");
  }
  void Run(KernelContext& context) override {
    Require(context.input(0).rank() == 0, "serialized is a scalar, not of shape ", Printed(context.input(0).shape()));
    Parser(context, wanted_, Keys(keys_.begin(), keys_.end()), 1).Run();
  }

 private:
  const ExampleColumns wanted_;
  std::vector<std::string> keys_;
};

constexpr KernelRow kRows[] = {
    {"ParseExample", Make<ParseExampleKernel>},
    {"ParseExampleV2", Make<ParseExampleV2Kernel>},
    {"ParseSingleExample", Make<ParseSingleExampleKernel>},
};

}  // namespace

std::span<const KernelRow> ParsingExample() { return kRows; }

}  // namespace plumb::fast::cpu
