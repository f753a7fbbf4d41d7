#include "spec/ops/known/known_ops.h"

#include <map>
#include <set>
#include <span>

#include "spec/core/thread_annotations.h"
#include "spec/ops/known/lists.h"

namespace plumb {
namespace {

constexpr std::string_view kInsteadOfTfData =
    "Plumb runs no input pipelines of tf.data: feed the outputs of the graph's IteratorGetNext";

OpDef Parse(const known::Signature& known) {
  return ParseOpRow({.signature = known.signature, .attrs = known.attrs, .deprecated = known.deprecated});
}

// A signature is parsed when a graph first has the op: few graphs have any.
class KnownOps {
 public:
  KnownOps() {
    const auto add = [&](std::span<const known::Signature> list) {
      for (const known::Signature& known : list) {
        const std::string_view text = known.signature;
        if (!signatures_.emplace(text.substr(0, text.find('(')), &known).second) {
          throw Internal("two lists of known ops have the signature ", text);
        }
      }
    };
#define PLUMB_ADD(list) add(known::list());
    PLUMB_KNOWN_LISTS(PLUMB_ADD)
#undef PLUMB_ADD
    for (const auto list : {known::Datasets1(), known::Datasets2(), known::Iterators()}) {
      for (const known::Signature& known : list) of_tf_data_.insert(&known);
    }
  }

  const OpDef* Find(std::string_view name) const {
    const auto found = signatures_.find(name);
    if (found == signatures_.end()) return nullptr;
    MutexLock lock(mutex_);
    const auto parsed = ops_.find(name);
    return parsed != ops_.end() ? &parsed->second : &ops_.emplace(found->first, Parse(*found->second)).first->second;
  }

  std::string_view InsteadOf(std::string_view name) const {
    const auto found = signatures_.find(name);
    if (found == signatures_.end()) return "";
    return of_tf_data_.contains(found->second) ? kInsteadOfTfData : found->second->instead;
  }

  std::vector<std::string_view> Names() const {
    std::vector<std::string_view> names;
    for (const auto& [name, known] : signatures_) names.push_back(name);
    return names;
  }

 private:
  std::map<std::string_view, const known::Signature*> signatures_;
  std::set<const known::Signature*> of_tf_data_;
  mutable Mutex mutex_;
  mutable std::map<std::string_view, OpDef> ops_ PLUMB_GUARDED_BY(mutex_);
};

const KnownOps& TheKnownOps() {
  static const KnownOps known;
  return known;
}

}  // namespace

const OpDef* FindKnownOp(std::string_view name) { return TheKnownOps().Find(name); }

std::string InsteadOf(std::string_view name) {
  const std::string_view instead = TheKnownOps().InsteadOf(name);
  return instead.empty() ? "" : Str("; ", instead);
}

std::vector<std::string_view> KnownOpNames() { return TheKnownOps().Names(); }

}  // namespace plumb
