#include "mpi/protocol/statement.h"

#include <algorithm>

namespace plumb::dist {
namespace {

constexpr uint64_t kFnvBasis = 0xcbf29ce484222325, kFnvPrime = 0x100000001b3;
constexpr size_t kLongestValue = 400;   // that is told to people
constexpr int64_t kListedNumbers = 16;  // tensors of more are told by their fingerprint

uint64_t Mix(uint64_t hash, std::string_view bytes) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * kFnvPrime;
  return (hash ^ bytes.size()) * kFnvPrime;  // where it ends counts too
}

// Of a tensor of numbers the elements as they lie in memory, or else as text.
std::string TextOf(const AttrValue& value) {
  const Tensor* const tensor = value.Get<Tensor>();
  if (tensor == nullptr) return value.ToString();
  if (ElementSize(tensor->dtype()) == 0 || tensor->elements() <= kListedNumbers) {
    return tensor->ToString(tensor->elements());
  }
  const std::string_view bytes(static_cast<const char*>(tensor->raw()), tensor->bytes());
  return Str(DTypeName(tensor->dtype()), tensor->shape().ToString(), " with the fingerprint ", Mix(kFnvBasis, bytes));
}

std::string TextOf(const NodeDef& node) {
  std::string text = node.op + "(";
  for (const std::string& input : node.inputs) text += Str(text.back() == '(' ? "" : ", ", input);
  text += ")";
  if (!node.device.empty()) text += " on " + node.device;
  for (const auto& [name, value] : node.attrs) text += Str(" ", name, "=", TextOf(value));
  return text;
}

bool Has(const Statement& statement, const std::string& name) {
  const auto& terms = statement.terms();
  return std::any_of(terms.begin(), terms.end(), [&](const Term& term) { return term.name == name; });
}

std::string Shortened(std::string value) {
  if (value.size() > kLongestValue) value = value.substr(0, kLongestValue) + "…";
  return value;
}

std::string OnlyOn(int rank, const Term& term, int other) {
  return Str(term.name, " is ", Shortened(term.value), " on rank ", rank, ", and rank ", other, " has none");
}

}  // namespace

void Statement::AddNodes(const GraphDef& graph) {
  for (const NodeDef& node : graph.nodes) Add(Str("the node '", node.name, "'"), TextOf(node));
}

int64_t Statement::Fingerprint() const {
  if (terms_.empty()) return 0;
  uint64_t hash = kFnvBasis;
  for (const Term& term : terms_) hash = Mix(Mix(hash, term.name), term.value);
  return static_cast<int64_t>(hash);
}

std::string FirstDifference(int rank, const Statement& own, int other, const Statement& theirs) {
  const size_t both = std::min(own.terms().size(), theirs.terms().size());
  for (size_t i = 0; i < both; ++i) {
    const Term &here = own.terms()[i], &there = theirs.terms()[i];
    if (here == there) continue;
    if (here.name == there.name) {
      return Str(here.name, " is ", Shortened(here.value), " on rank ", rank, " and ", Shortened(there.value),
                 " on rank ", other);
    }
    if (!Has(theirs, here.name)) return OnlyOn(rank, here, other);
    if (!Has(own, there.name)) return OnlyOn(other, there, rank);
    return Str("where rank ", rank, " has ", here.name, ", rank ", other, " has ", there.name);
  }
  if (own.terms().size() > both) return OnlyOn(rank, own.terms()[both], other);
  if (theirs.terms().size() > both) return OnlyOn(other, theirs.terms()[both], rank);
  return "";
}

}  // namespace plumb::dist
