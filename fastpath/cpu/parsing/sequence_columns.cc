#include "fastpath/cpu/parsing/sequence_columns.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/row_splits.h"
#include "fastpath/cpu/parsing/wire.h"

namespace plumb::fast::cpu {
namespace {

using Sizes = std::vector<int64_t>;

// The values of all rows of a list, one row behind the other; the size of each goes to `sizes`, if it is there.
template <class Sink>
void TakeRows(std::string_view bytes, DType type, Sink& sink, Sizes* sizes) {
  WireCursor cursor(bytes);
  while (!cursor.AtEnd()) {
    cursor.Need(Tag(1, Wire::kBytes));
    const uint32_t length = cursor.Length();
    const int64_t before = sink.count;
    Require(length != 1, "a row of a list of features has one byte");
    if (length == 2) {
      cursor.Need(ListTag(type));
      Require(cursor.Length() == 0, "a row of two bytes cannot have values");
    } else if (length > 0) {
      cursor.Within(length, [&] { TakeValues(cursor, type, Dialect::kSequence, sink); });
    }
    if (sizes != nullptr) sizes->push_back(sink.count - before);
  }
}

// The one row of a feature of the context.
template <class Sink>
void TakeFeature(std::string_view bytes, DType type, Sink& sink) {
  WireCursor cursor(bytes);
  if (!bytes.empty()) TakeValues(cursor, type, Dialect::kSequence, sink);
}

// f() of what a message has under a key; a failure names both.
template <class F>
void Naming(std::string_view key, int64_t message, const F& f) {
  try {
    f();
  } catch (const Error& error) {
    throw Error(error.status().code(),
                Str("'", key, "' of message ", message, " cannot be read: ", error.status().message()));
  }
}

int64_t Largest(const Sizes& sizes) { return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end()); }
int64_t Sum(const Sizes& sizes) { return std::accumulate(sizes.begin(), sizes.end(), int64_t{0}); }

// How many values the rows of all messages have, one message behind the other.
struct RowSizes {
  Sizes values;      // of each row
  Sizes ends = {0};  // a zero, and behind each message the number of rows so far

  void EndMessage() { ends.push_back(std::ssize(values)); }
  int64_t RowsOf(int64_t message) const {
    return ends[static_cast<size_t>(message) + 1] - ends[static_cast<size_t>(message)];
  }
  std::span<const int64_t> Of(int64_t message) const {
    return std::span(values).subspan(static_cast<size_t>(ends[static_cast<size_t>(message)]),
                                     static_cast<size_t>(RowsOf(message)));
  }
};

class Output {
 public:
  Output(KernelContext& context, const SequenceColumns& columns, const SequenceInputs& inputs)
      : context_(context), columns_(columns), inputs_(inputs) {}

  void Context(const FoundFeatures& found) {
    const SequenceGroup& group = columns_.context;
    for (size_t d = 0; d < group.sparse.size(); ++d) {
      const RowSizes sizes = FeatureSizes(found, d, group.sparse[d]);
      WriteSparse(d, group.sparse.size(), sizes, false);
      WriteFeatures(At(group.sparse.size() + d), group.sparse[d], found, d, sizes);
    }
    next_ += 3 * static_cast<int>(group.sparse.size());
    for (size_t d = 0; d < group.dense.size(); ++d) WriteDense(d, group.sparse.size() + d, found);
    next_ += static_cast<int>(group.dense.size());
    for (size_t d = 0; d < group.ragged.size(); ++d) {
      const size_t column = group.sparse.size() + group.dense.size() + d;
      const RowSizes sizes = FeatureSizes(found, column, group.ragged[d]);
      WriteFeatures(At(d), group.ragged[d], found, column, sizes);
      WriteOuterSplits(At(group.ragged.size() + d), group.splits[d], sizes.values);
    }
    next_ += 2 * static_cast<int>(group.ragged.size());
  }

  void Lists(const FoundFeatures& found) {
    const SequenceGroup& group = columns_.lists;
    const size_t sparse = group.sparse.size(), dense = group.dense.size(), ragged = group.ragged.size();
    for (size_t d = 0; d < sparse; ++d) {
      const RowSizes sizes = ListSizes(found, d, group.sparse[d]);
      WriteSparse(d, sparse, sizes, true);
      WriteRows(At(sparse + d), group.sparse[d], found, d, sizes);
    }
    next_ += 3 * static_cast<int>(sparse);
    for (size_t d = 0; d < dense; ++d) WriteDenseList(d, sparse + d, found);
    next_ += static_cast<int>(dense * (columns_.has_lengths ? 2 : 1));
    for (size_t d = 0; d < ragged; ++d) {
      const RowSizes sizes = ListSizes(found, sparse + dense + d, group.ragged[d]);
      WriteRows(At(d), group.ragged[d], found, sparse + dense + d, sizes);
      Sizes lengths;
      for (int64_t e = 0; e < inputs_.messages; ++e) lengths.push_back(sizes.RowsOf(e));
      WriteOuterSplits(At(ragged + d), group.splits[d], lengths);
      WriteSplits(At(2 * ragged + d), group.splits[d], sizes.values);
    }
  }

 private:
  int At(size_t offset) const { return next_ + static_cast<int>(offset); }
  static int64_t CountOf(std::string_view bytes, DType type) {
    CountingSink sink;
    TakeFeature(bytes, type, sink);
    return sink.count;
  }
  // f(e) for each message, on several threads.
  template <class F>
  void ForEach(const F& f) const {
    context_.pool().ParallelFor(inputs_.messages, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t e = begin; e < end; ++e) f(e);
    });
  }
  // A feature of the context is one row.
  RowSizes FeatureSizes(const FoundFeatures& found, size_t column, DType type) const {
    RowSizes sizes;
    sizes.values.resize(static_cast<size_t>(inputs_.messages));
    sizes.ends.resize(static_cast<size_t>(inputs_.messages) + 1);
    std::iota(sizes.ends.begin(), sizes.ends.end(), int64_t{0});
    ForEach([&](int64_t e) {
      Naming(found.Key(column), e,
             [&] { sizes.values[static_cast<size_t>(e)] = CountOf(found.Bytes(e, column), type); });
    });
    return sizes;
  }
  RowSizes ListSizes(const FoundFeatures& found, size_t column, DType type) const {
    RowSizes sizes;
    for (int64_t e = 0; e < inputs_.messages; ++e) {
      CountingSink sink;
      Naming(found.Key(column), e, [&] { TakeRows(found.Bytes(e, column), type, sink, &sizes.values); });
      sizes.EndMessage();
    }
    return sizes;
  }
  // The number of messages, if there may be several, and these.
  Shape Batched(const Dims& dims) const {
    Dims all;
    if (inputs_.is_batch) all.Append(inputs_.messages);
    for (int axis = 0; axis < dims.rank; ++axis) all.Append(dims[axis]);
    return all.ToShape();
  }

  void WriteSparse(size_t d, size_t count, const RowSizes& sizes, bool has_rows) {
    const int64_t rank = 1 + (inputs_.is_batch ? 1 : 0) + (has_rows ? 1 : 0);
    int64_t longest = 0;
    for (int64_t e = 0; e < inputs_.messages; ++e) longest = std::max(longest, sizes.RowsOf(e));
    Tensor& indices = context_.AllocateOutput(At(d), DType::kInt64, Shape({Sum(sizes.values), rank}));
    int64_t* at = indices.mutable_data<int64_t>().data();
    for (int64_t e = 0; e < inputs_.messages; ++e) {
      const std::span<const int64_t> rows = sizes.Of(e);
      for (size_t row = 0; row < rows.size(); ++row) {
        for (int64_t i = 0; i < rows[row]; ++i) {
          if (inputs_.is_batch) *at++ = e;
          if (has_rows) *at++ = static_cast<int64_t>(row);
          *at++ = i;
        }
      }
    }
    Tensor& shape = context_.AllocateOutput(At(2 * count + d), DType::kInt64, Shape({rank}));
    int64_t* dim = shape.mutable_data<int64_t>().data();
    if (inputs_.is_batch) *dim++ = inputs_.messages;
    if (has_rows) *dim++ = longest;
    *dim = Largest(sizes.values);
  }

  void WriteFeatures(int output, DType type, const FoundFeatures& found, size_t column, const RowSizes& sizes) {
    WriteAll(output, type, sizes,
             [&](int64_t e, WritingSink& sink) { TakeFeature(found.Bytes(e, column), type, sink); });
  }
  void WriteRows(int output, DType type, const FoundFeatures& found, size_t column, const RowSizes& sizes) {
    WriteAll(output, type, sizes,
             [&](int64_t e, WritingSink& sink) { TakeRows(found.Bytes(e, column), type, sink, nullptr); });
  }
  template <class Take>
  void WriteAll(int output, DType type, const RowSizes& sizes, const Take& take) {
    Sizes first = {0};  // value of each message
    for (int64_t e = 0; e < inputs_.messages; ++e) {
      const std::span<const int64_t> rows = sizes.Of(e);
      first.push_back(std::accumulate(rows.begin(), rows.end(), first.back()));
    }
    void* const elements = context_.AllocateOutput(output, type, Shape({first.back()})).mutable_raw();
    ForEach([&](int64_t e) {
      const int64_t begin = first[static_cast<size_t>(e)];
      WritingSink sink = SinkAt(elements, type, begin, first[static_cast<size_t>(e) + 1] - begin);
      take(e, sink);
    });
  }

  void WriteDense(size_t d, size_t column, const FoundFeatures& found) {
    const DType type = columns_.context.dense[d];
    const Shape& shape = columns_.context.shapes[d];
    const Tensor& standard = context_.input(inputs_.first_default + static_cast<int>(d));
    Require(standard.elements() == 0 || standard.shape() == shape, "the default of '", found.Key(column),
            "' must be empty or of shape ", Printed(shape), ", not ", Printed(standard.shape()));
    const int64_t largest = std::max(standard.elements(), Largest(FeatureSizes(found, column, type).values));
    Require(largest == shape.elements(), "the dense feature '", found.Key(column), "' of the context has ", largest,
            " values, and its shape is ", Printed(shape));
    void* const elements = context_.AllocateOutput(At(d), type, Batched(Dims(shape))).mutable_raw();
    ForEach([&](int64_t e) {
      WritingSink sink = SinkAt(elements, type, e * largest, largest);
      if (found.IsPresent(e, column)) {
        TakeFeature(found.Bytes(e, column), type, sink);
      } else {
        CopyValues(standard, sink);
      }
      Require(sink.count == largest && (found.IsPresent(e, column) || standard.elements() > 0), "message ", e, " has ",
              sink.count, " values of the dense feature '", found.Key(column), "' of the context instead of ", largest);
    });
  }

  void WriteDenseList(size_t d, size_t column, const FoundFeatures& found) {
    const SequenceGroup& group = columns_.lists;
    const int64_t size = group.shapes[d].elements();
    const RowSizes sizes = ListSizes(found, column, group.dense[d]);
    int64_t longest = 0;
    for (int64_t e = 0; e < inputs_.messages; ++e) {
      const std::span<const int64_t> of = sizes.Of(e);
      Require(found.IsPresent(e, column) || inputs_.may_miss[d] != 0, "message ", e, " lacks the dense list '",
              found.Key(column), "', which may not be missing");
      Require(std::all_of(of.begin(), of.end(), [&](int64_t n) { return n == size; }), "message ", e,
              " has rows in the dense list '", found.Key(column), "' that do not have ", size, " values");
      longest = std::max(longest, static_cast<int64_t>(of.size()));
    }
    Dims dims;
    dims.Append(longest);
    for (const int64_t dim : group.shapes[d].ToVector()) dims.Append(dim);
    Tensor& result = context_.AllocateOutput(At(d), group.dense[d], Batched(dims));
    void* const elements = result.mutable_raw();
    if (group.dense[d] != DType::kString && result.bytes() > 0) std::memset(elements, 0, result.bytes());
    ForEach([&](int64_t e) {
      WritingSink sink = SinkAt(elements, group.dense[d], e * longest * size, longest * size);
      TakeRows(found.Bytes(e, column), group.dense[d], sink, nullptr);
    });
    if (!columns_.has_lengths) return;
    Tensor& lengths = context_.AllocateOutput(At(group.dense.size() + d), DType::kInt64, Batched(Dims()));
    for (int64_t e = 0; e < inputs_.messages; ++e) {
      lengths.mutable_data<int64_t>()[static_cast<size_t>(e)] = sizes.RowsOf(e);
    }
  }

  // Where the parts of each message begin; of one message a zero.
  void WriteOuterSplits(int output, DType type, const Sizes& sizes) {
    if (inputs_.is_batch) return WriteSplits(output, type, sizes);
    Tensor& zero = context_.AllocateOutput(output, type, Shape());
    std::memset(zero.mutable_raw(), 0, zero.bytes());
  }
  void WriteSplits(int output, DType type, const Sizes& sizes) {
    Tensor& splits = context_.AllocateOutput(output, type, Shape({std::ssize(sizes) + 1}));
    int64_t begin = 0;
    SetSplit(splits, 0, 0);
    for (size_t i = 0; i < sizes.size(); ++i) SetSplit(splits, static_cast<int64_t>(i) + 1, begin += sizes[i]);
  }

  static constexpr int64_t kGrain = 32;
  KernelContext& context_;
  const SequenceColumns& columns_;
  const SequenceInputs& inputs_;
  int next_ = 0;  // the first output that is not written yet
};

// Where the op says how many there are besides their types.
void CheckCount(const Node& node, std::string_view attr, size_t types) {
  const auto said = node.attrs.find(attr);
  if (said == node.attrs.end()) return;
  Require(*said->second.Get<int64_t>() == static_cast<int64_t>(types), attr, " must be the number of types, ", types);
}

}  // namespace

SequenceGroup::SequenceGroup(const Node& node, const std::string& prefix, const std::string& dense_types,
                             bool has_ragged) {
  const auto types = [&](const std::string& attr) { return GetAttr<std::vector<DType>>(node.attrs, attr); };
  sparse = types(prefix + "_sparse_types");
  dense = types(dense_types);
  const auto& given = GetAttr<std::vector<PartialShape>>(node.attrs, prefix + "_dense_shapes");
  Require(GetAttr<int64_t>(node.attrs, "N" + prefix + "_sparse") == std::ssize(sparse) && given.size() == dense.size(),
          "there are ", sparse.size(), " sparse and ", dense.size(), " dense types in ", prefix,
          ", and other numbers of features");
  for (const PartialShape& shape : given) shapes.push_back(shape.ToShape());
  if (!has_ragged) return;
  ragged = types(prefix + "_ragged_value_types");
  splits = types(prefix + "_ragged_split_types");
  Require(ragged.size() == splits.size(), ragged.size(), " ragged types of values in ", prefix, ", and ", splits.size(),
          " of splits");
}

SequenceColumns::SequenceColumns(const Node& of, bool has_ragged, bool lengths)
    : node(of.name),
      context(of, "context", "Tcontext_dense", has_ragged),
      lists(of, "feature_list", "feature_list_dense_types", has_ragged),
      has_lengths(lengths) {
  CheckCount(of, "Ncontext_sparse", context.sparse.size());
  CheckCount(of, "Ncontext_dense", context.dense.size());
  CheckCount(of, "Nfeature_list_sparse", lists.sparse.size());
  CheckCount(of, "Nfeature_list_dense", lists.dense.size());
}

FoundFeatures::FoundFeatures(const std::vector<std::string_view>& keys, int64_t messages) : keys_(keys) {
  for (const std::string_view key : keys) slot_of_column_.push_back(slots_.emplace(key, slots_.size()).first->second);
  features_.resize(static_cast<size_t>(messages) * slots_.size());
}

void FoundFeatures::Put(int64_t message, std::string_view key, std::string_view bytes) {
  const auto slot = slots_.find(key);
  if (slot == slots_.end()) return;
  features_[static_cast<size_t>(message) * slots_.size() + slot->second] = {bytes, true};
}

void OutputSequences(KernelContext& context, const SequenceColumns& columns, const SequenceInputs& inputs,
                     const FoundFeatures& features, const FoundFeatures& lists) {
  Output output(context, columns, inputs);
  output.Context(features);
  output.Lists(lists);
}

}  // namespace plumb::fast::cpu
