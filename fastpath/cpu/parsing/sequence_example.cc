#include <algorithm>
#include <span>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/parsing/sequence_columns.h"
#include "fastpath/cpu/parsing/wire.h"
#include "spec/proto/example.pb.h"

namespace plumb::fast::cpu {
namespace {

using Keys = std::vector<std::string_view>;

// Refuses a feature that is asked for in two forms; keys are in the order of the columns.
void CheckForms(const SequenceGroup& group, const Keys& keys) {
  absl::flat_hash_map<std::string_view, int> forms;
  for (size_t i = 0; i < keys.size(); ++i) {
    const int form = i < group.sparse.size() ? 0 : i < group.sparse.size() + group.dense.size() ? 1 : 2;
    Require(forms.emplace(keys[i], form).first->second == form, "the feature '", keys[i],
            "' is asked for in two forms");
  }
}

void FindIn(WireCursor& cursor, int64_t message, FoundFeatures& found) {
  cursor.Within(cursor.Length(), [&] {
    while (!cursor.AtEnd()) {
      cursor.Need(Tag(1, Wire::kBytes));
      cursor.Within(cursor.Length(), [&] {
        cursor.Need(Tag(1, Wire::kBytes));
        const std::string_view key = cursor.Text();
        cursor.Need(Tag(2, Wire::kBytes));
        found.Put(message, key, cursor.Text());
        Require(cursor.AtEnd(), "message ", message, " has an entry with more than a key and a value");
      });
    }
  });
}

// Reads messages where they lie, as they come.
class SequenceKernel : public Kernel {
 public:
  SequenceKernel(const Node& node, bool has_ragged) : columns_(node, has_ragged, true) {}

 protected:
  void Parse(KernelContext& context, SequenceInputs inputs, const Keys& keys, const Keys& list_keys) const {
    const Tensor &serialized = context.input(0), &names = context.input(1);
    Require(serialized.rank() <= 1, "serialized is a scalar or a vector, not of shape ", Printed(serialized.shape()));
    Require(names.elements() == 0 || names.elements() == serialized.elements(), names.elements(),
            " names are given for ", serialized.elements(), " messages");
    CheckForms(columns_.context, keys);
    CheckForms(columns_.lists, list_keys);
    inputs.messages = serialized.elements();
    inputs.is_batch = serialized.rank() == 1;
    FoundFeatures features(keys, inputs.messages), lists(list_keys, inputs.messages);
    const auto messages = serialized.data<std::string>();
    constexpr int64_t kGrain = 32;
    context.pool().ParallelFor(inputs.messages, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t e = begin; e < end; ++e) Find(messages[static_cast<size_t>(e)], e, features, lists);
    });
    OutputSequences(context, columns_, inputs, features, lists);
  }

  const SequenceColumns columns_;

 private:
  static void Find(std::string_view bytes, int64_t message, FoundFeatures& features, FoundFeatures& lists) {
    WireCursor cursor(bytes);
    while (!cursor.AtEnd()) {
      if (cursor.Accept(Tag(1, Wire::kBytes))) {
        FindIn(cursor, message, features);
      } else if (cursor.Accept(Tag(2, Wire::kBytes))) {
        FindIn(cursor, message, lists);
      } else {
        cursor.Skip();
      }
    }
  }
};

class ParseSequenceExampleKernel : public SequenceKernel {
 public:
  explicit ParseSequenceExampleKernel(const Node& node) : SequenceKernel(node, false) {
    const auto texts = [&](const char* attr) -> const std::vector<std::string>& {
      return GetAttr<std::vector<std::string>>(node.attrs, attr);
    };
    const auto join = [&](const char* sparse, const char* dense, const SequenceGroup& group) {
      std::vector<std::string> keys = texts(sparse);
      Require(keys.size() == group.sparse.size() && texts(dense).size() == group.dense.size(), sparse, " and ", dense,
              " must name ", group.sparse.size(), " and ", group.dense.size(), " features");
      keys.insert(keys.end(), texts(dense).begin(), texts(dense).end());
      return keys;
    };
    keys_ = join("context_sparse_keys", "context_dense_keys", columns_.context);
    list_keys_ = join("feature_list_sparse_keys", "feature_list_dense_keys", columns_.lists);
    const auto& missing = texts("feature_list_dense_missing_assumed_empty");
    for (const std::string& key : texts("feature_list_dense_keys")) {
      may_miss_.push_back(std::find(missing.begin(), missing.end(), key) != missing.end() ? 1 : 0);
    }
  }
  void Run(KernelContext& context) override {
    SequenceInputs inputs;
    inputs.first_default = 2;
    inputs.may_miss = may_miss_;
    Parse(context, std::move(inputs), Keys(keys_.begin(), keys_.end()), Keys(list_keys_.begin(), list_keys_.end()));
  }

 private:
  std::vector<std::string> keys_, list_keys_;
  std::vector<char> may_miss_;
};

class ParseSequenceExampleV2Kernel : public SequenceKernel {
 public:
  explicit ParseSequenceExampleV2Kernel(const Node& node) : SequenceKernel(node, true) {}

  void Run(KernelContext& context) override {
    const Keys keys = KeysFrom(context, 2, columns_.context), list_keys = KeysFrom(context, 5, columns_.lists);
    SequenceInputs inputs;
    const Tensor& missing = context.input(8);
    Require(missing.elements() == std::ssize(columns_.lists.dense), missing.elements(), " flags are given for ",
            columns_.lists.dense.size(), " dense lists");
    inputs.may_miss.assign(missing.data<bool>().begin(), missing.data<bool>().end());
    inputs.first_default = 9;
    Parse(context, std::move(inputs), keys, list_keys);
  }

 private:
  Keys KeysFrom(const KernelContext& context, int input, const SequenceGroup& group) const {
    Keys keys;
    for (const auto* types : {&group.sparse, &group.dense, &group.ragged}) {
      const Tensor& texts = context.input(input++);
      Require(texts.elements() == std::ssize(*types), "input ", input - 1, " has ", texts.elements(), " keys, and ",
              types->size(), " are needed");
      keys.insert(keys.end(), texts.data<std::string>().begin(), texts.data<std::string>().end());
    }
    return keys;
  }
};

// One message, which the library of protocol buffers reads; what is asked for is written again, in the usual order.
class ParseSingleSequenceExampleKernel : public Kernel {
 public:
  explicit ParseSingleSequenceExampleKernel(const Node& node) : columns_(node, false, false) {}

  void Run(KernelContext& context) override {
    for (int i = 0; i < context.num_inputs(); ++i) {
      const bool is_default = i > static_cast<int>(1 + columns_.context.keys() + columns_.lists.keys());
      if (is_default && i + 1 < context.num_inputs()) continue;
      Require(context.input(i).rank() == (i == 1 ? 1 : 0), "input ", i, " must have the rank ", i == 1 ? 1 : 0,
              ", and not the shape ", Printed(context.input(i).shape()));
    }
    int input = 2;
    const auto take = [&](size_t count) {
      Keys keys;
      for (size_t i = 0; i < count; ++i) keys.push_back(context.input(input++).data<std::string>()[0]);
      return keys;
    };
    const Keys keys = take(columns_.context.keys()), list_keys = take(columns_.lists.keys());
    SequenceInputs inputs;
    inputs.messages = 1;
    inputs.first_default = input;
    const auto missing = context.input(1).data<std::string>();
    for (size_t d = 0; d < columns_.lists.dense.size(); ++d) {
      const std::string_view key = list_keys[columns_.lists.sparse.size() + d];
      inputs.may_miss.push_back(std::find(missing.begin(), missing.end(), key) != missing.end() ? 1 : 0);
    }
    pb::SequenceExample message;
    Require(message.ParseFromString(context.input(0).scalar<std::string>()), "the bytes are no SequenceExample");
    message.DiscardUnknownFields();
    FoundFeatures features(keys, 1), lists(list_keys, 1);
    std::vector<std::string> bytes(keys.size() + list_keys.size());
    const auto first_of = [](const Keys& all, const auto& sparse) { return std::span(all).first(sparse.size()); };
    Put(message.context().feature(), keys, first_of(keys, columns_.context.sparse), bytes.data(), features);
    Put(message.feature_lists().feature_list(), list_keys, first_of(list_keys, columns_.lists.sparse),
        bytes.data() + keys.size(), lists);
    OutputSequences(context, columns_, inputs, features, lists);
  }

 private:
  static bool HasKinds(const pb::Feature& feature) { return feature.kind_case() != pb::Feature::KIND_NOT_SET; }
  static bool HasKinds(const pb::FeatureList& list) {
    return std::all_of(list.feature().begin(), list.feature().end(), [](const auto& row) { return HasKinds(row); });
  }

  // What is found in the map by its key. Only under a key of a sparse column may a feature be of no kind.
  template <class Map>
  static void Put(const Map& map, const Keys& keys, std::span<const std::string_view> sparse, std::string* bytes,
                  FoundFeatures& found) {
    for (const std::string_view key : keys) {
      const auto entry = map.find(std::string(key));
      if (entry == map.end()) continue;
      Require(HasKinds(entry->second) || std::find(sparse.begin(), sparse.end(), key) != sparse.end(), "the feature '",
              key, "' has no values of any type");
      entry->second.SerializeToString(bytes);
      found.Put(0, key, *bytes++);
    }
  }

  const SequenceColumns columns_;
};

constexpr KernelRow kRows[] = {
    {"ParseSequenceExample", Make<ParseSequenceExampleKernel>},
    {"ParseSequenceExampleV2", Make<ParseSequenceExampleV2Kernel>},
    {"ParseSingleSequenceExample", Make<ParseSingleSequenceExampleKernel>},
};

}  // namespace

std::span<const KernelRow> ParsingSequenceExample() { return kRows; }

}  // namespace plumb::fast::cpu
