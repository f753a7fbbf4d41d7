// Differences, intersections and unions of sets, row by row.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "reference/ops/lib/integer_tensor.h"
#include "reference/ops/lib/set_rows.h"

namespace plumb::reference {
namespace {

std::string OperationOf(const Node& node) {
  std::string operation = GetAttr<std::string>(node.attrs, "set_operation");
  for (char& letter : operation) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
  return operation;
}

void CheckOperation(const Node& node) {
  const std::string operation = OperationOf(node);
  Require(operation == "a-b" || operation == "b-a" || operation == "intersection" || operation == "union",
          "set_operation must be 'a-b', 'b-a', 'intersection' or 'union', not '", operation, "'");
}

template <class Key>
std::set<Key> Operated(const std::string& operation, const std::set<Key>& a, const std::set<Key>& b) {
  std::set<Key> result;
  const auto to = std::inserter(result, result.end());
  if (operation == "a-b") std::set_difference(a.begin(), a.end(), b.begin(), b.end(), to);
  if (operation == "b-a") std::set_difference(b.begin(), b.end(), a.begin(), a.end(), to);
  if (operation == "intersection") std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), to);
  if (operation == "union") std::set_union(a.begin(), a.end(), b.begin(), b.end(), to);
  return result;
}

// The results of all rows that have any, put down one after the other.
template <class Key>
class Results {
 public:
  Results(OpContext& c, std::vector<int64_t> outer) : c_(c), outer_(std::move(outer)) {
    at_.rank = static_cast<int>(outer_.size()) + 1;
  }

  void Add(const std::vector<int64_t>& row, const std::set<Key>& a, const std::set<Key>& b) {
    std::vector<int64_t> coordinates = row;
    coordinates.push_back(0);
    for (const Key& member : Operated(OperationOf(c_.node), a, b)) {
      at_.Append(coordinates);
      members_.push_back(member);
      largest_ = std::max(largest_, ++coordinates.back());
    }
  }

  void Put() {
    std::vector<int64_t> shape = outer_;
    shape.push_back(largest_);
    Shape{std::span<const int64_t>(shape)};  // refuses what is no shape
    if constexpr (std::is_same_v<Key, std::string>) {
      SparseOutput(c_, 0, at_, MakeTensor<std::string>({at_.count}, std::span<const Key>(members_)), shape);
    } else {
      SparseOutput(c_, 0, at_, IntegerVector(c_.output_type(1), members_), shape);
    }
  }

 private:
  OpContext& c_;
  std::vector<int64_t> outer_;
  Coordinates at_;
  std::vector<Key> members_;
  int64_t largest_ = 0;
};

// The rows of a dense tensor as sets.
template <class Key>
class DenseSets {
 public:
  explicit DenseSets(const Value& value) : shape_(value.tensor.shape()), keys_(KeysOf<Key>(value)) {
    Require(shape_.rank() >= 2, "sets are the rows of a tensor of rank 2 at least, not of shape ", shape_.ToString());
  }
  std::vector<int64_t> outer() const { return {shape_.dims().begin(), shape_.dims().end() - 1}; }
  int64_t size() const { return shape_.dim(shape_.rank() - 1); }
  std::set<Key> operator[](int64_t row) const {
    return {keys_.begin() + row * size(), keys_.begin() + (row + 1) * size()};
  }

 private:
  Shape shape_;
  std::vector<Key> keys_;
};

void RequireSameRows(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  Require(a == b, "both operands must have the same rows, not ", Shape(a).ToString(), " and ", Shape(b).ToString());
}

template <class Key>
void DenseToDense(OpContext& c) {
  const DenseSets<Key> a(c.input(0)), b(c.input(1));
  RequireSameRows(a.outer(), b.outer());
  Results<Key> results(c, a.outer());
  const int64_t rows = a.size() == 0 && b.size() == 0 ? 0 : Shape(a.outer()).elements();
  for (int64_t row = 0; row < rows; ++row) results.Add(CoordinatesAt(a.outer(), row), a[row], b[row]);
  results.Put();
}

// Rows of the sparse operand are met in the order of the dense ones. One that is out of order is never met, nor is any
// after it.
std::map<int64_t, SetRun> MetRuns(const SetRuns& sets) {
  std::map<int64_t, SetRun> met;
  for (const SetRun& run : sets.runs()) {
    if (!Contains(sets.outer(), run.row)) break;
    const int64_t row = PlaceOf(sets.outer(), run.row);
    if (!met.empty() && row <= met.rbegin()->first) break;
    met.emplace(row, run);
  }
  return met;
}

template <class Key>
void DenseToSparse(OpContext& c) {
  const SparseSets<Key> b(c, 1, c.attr<bool>("validate_indices"));
  const DenseSets<Key> a(c.input(0));
  RequireSameRows(a.outer(), b.outer());
  Results<Key> results(c, a.outer());
  const auto met = MetRuns(b);
  if (a.size() == 0) {
    for (const auto& [row, run] : met) results.Add(run.row, {}, b.SetOf(run));
  }
  const int64_t rows = a.size() == 0 ? 0 : Shape(a.outer()).elements();
  for (int64_t row = 0; row < rows; ++row) {
    const auto run = met.find(row);
    const std::set<Key> members = run == met.end() ? std::set<Key>() : b.SetOf(run->second);
    results.Add(CoordinatesAt(a.outer(), row), a[row], members);
  }
  results.Put();
}

template <class Key>
void SparseToSparse(OpContext& c) {
  const bool validate = c.attr<bool>("validate_indices");
  const SparseSets<Key> a(c, 0, validate), b(c, 3, validate);
  RequireSameRows(a.outer(), b.outer());
  Results<Key> results(c, a.outer());
  auto left = a.runs().begin(), right = b.runs().begin();
  while (left != a.runs().end() || right != b.runs().end()) {
    const bool takes_left = right == b.runs().end() || (left != a.runs().end() && left->row <= right->row);
    const bool takes_right = left == a.runs().end() || (right != b.runs().end() && right->row <= left->row);
    const std::vector<int64_t> row = takes_left ? left->row : right->row;
    const std::set<Key> members = takes_left ? a.SetOf(*left++) : std::set<Key>();
    results.Add(row, members, takes_right ? b.SetOf(*right++) : std::set<Key>());
  }
  results.Put();
}

constexpr KernelRow kRows[] = {
    {"DenseToDenseSetOperation",
     [](OpContext& c) {
       c.tensor(0).dtype() == DType::kString ? DenseToDense<std::string>(c) : DenseToDense<int64_t>(c);
     },
     CheckOperation},
    {"DenseToSparseSetOperation",
     [](OpContext& c) {
       c.tensor(0).dtype() == DType::kString ? DenseToSparse<std::string>(c) : DenseToSparse<int64_t>(c);
     },
     CheckOperation},
    {"SparseToSparseSetOperation",
     [](OpContext& c) {
       c.tensor(1).dtype() == DType::kString ? SparseToSparse<std::string>(c) : SparseToSparse<int64_t>(c);
     },
     CheckOperation},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SetSetOperation() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
