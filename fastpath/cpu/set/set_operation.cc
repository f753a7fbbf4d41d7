// DenseToDenseSetOperation, DenseToSparseSetOperation and SparseToSparseSetOperation: rows of both operands are sorted
// and merged.
#include <iterator>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/set_rows.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

enum class Operation { kDifference, kReverse, kIntersection, kUnion };
enum class Operands { kDenseDense, kDenseSparse, kSparseSparse };

Operation OperationOf(const Node& node) {
  std::string name = GetAttr<std::string>(node.attrs, "set_operation");
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (name == "a-b") return Operation::kDifference;
  if (name == "b-a") return Operation::kReverse;
  if (name == "intersection") return Operation::kIntersection;
  Require(name == "union", "set_operation is '", name, "', but must be 'a-b', 'b-a', 'intersection' or 'union'");
  return Operation::kUnion;
}

// Elements of both operands that meet in a row of the result. Its coordinates stand in an operand, or follow from its
// place.
struct Pair {
  const int64_t* row = nullptr;
  int64_t place = 0;
  int64_t a_begin = 0, a_end = 0, b_begin = 0, b_end = 0;
};

// All pairs of rows, in order, and the shape that they lie in.
struct Plan {
  std::vector<Pair> pairs;
  Dims outer;
};

Dims OuterOf(const Tensor& dense) {
  Require(dense.rank() >= 2, "sets lie in tensors of rank 2 at least, not of shape ", dense.shape().ToString());
  Dims outer(dense.shape());
  --outer.rank;
  return outer;
}
void RequireSame(const Dims& a, const Dims& b) {
  Require(a.rank == b.rank && std::equal(a.size, a.size + a.rank, b.size), "the rows of shapes ",
          a.ToShape().ToString(), " and ", b.ToShape().ToString(), " do not pair up");
}

Plan DenseRows(const Tensor& a, const Tensor& b) {
  Plan plan{{}, OuterOf(a)};
  RequireSame(plan.outer, OuterOf(b));
  const int64_t m = a.dim(a.rank() - 1), n = b.dim(b.rank() - 1);
  const int64_t rows = m == 0 && n == 0 ? 0 : plan.outer.ToShape().elements();
  for (int64_t i = 0; i < rows; ++i) plan.pairs.push_back({nullptr, i, i * m, (i + 1) * m, i * n, (i + 1) * n});
  return plan;
}

// A run that is out of order is never met, and stops those behind it.
Plan MixedRows(const Tensor& a, const SetRuns& b) {
  Plan plan{{}, OuterOf(a)};
  RequireSame(plan.outer, b.outer);
  const int64_t m = a.dim(a.rank() - 1);
  const int64_t rows = plan.outer.ToShape().elements();
  int64_t place = 0;
  const auto pass = [&](int64_t end) {
    for (; m > 0 && place < end; ++place) plan.pairs.push_back({nullptr, place, place * m, (place + 1) * m, 0, 0});
  };
  for (const SetRun& run : b.runs) {
    if (!Contains(b.outer, run.row) || PlaceIn(b.outer, run.row) < place) break;
    pass(PlaceIn(b.outer, run.row));
    b.CheckRun(run);
    place = PlaceIn(b.outer, run.row);
    plan.pairs.push_back({nullptr, place, place * m, (place + 1) * m, run.begin, run.end});
    ++place;
  }
  pass(rows);
  return plan;
}

Plan SparseRows(const SetRuns& a, const SetRuns& b) {
  RequireSame(a.outer, b.outer);
  Plan plan{{}, a.outer};
  auto left = a.runs.begin();
  auto right = b.runs.begin();
  while (left != a.runs.end() || right != b.runs.end()) {
    const bool ended = right == b.runs.end();
    const bool takes_left = left != a.runs.end() && (ended || !IsBefore(right->row, left->row, a.outer.rank));
    const bool takes_right = !ended && (left == a.runs.end() || !IsBefore(left->row, right->row, a.outer.rank));
    Pair pair;
    if (takes_left) {
      a.CheckRun(*left);
      pair = {left->row, 0, left->begin, left->end, 0, 0};
      ++left;
    }
    if (takes_right) {
      b.CheckRun(*right);
      pair.row = right->row;
      pair.b_begin = right->begin;
      pair.b_end = right->end;
      ++right;
    }
    plan.pairs.push_back(pair);
  }
  return plan;
}

template <class V>
void Apply(Operation operation, const V& a, const V& b, V& result) {
  result.clear();
  const auto to = std::back_inserter(result);
  switch (operation) {
    case Operation::kDifference:
      std::set_difference(a.begin(), a.end(), b.begin(), b.end(), to);
      return;
    case Operation::kReverse:
      std::set_difference(b.begin(), b.end(), a.begin(), a.end(), to);
      return;
    case Operation::kIntersection:
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), to);
      return;
    case Operation::kUnion:
      std::set_union(a.begin(), a.end(), b.begin(), b.end(), to);
      return;
  }
}

class SetOperation final : public Kernel {
 public:
  SetOperation(const Node& node, Operands operands)
      : operands_(operands),
        operation_(OperationOf(node)),
        validate_(GetAttr<bool>(node.attrs, "validate_indices")),
        type_(OutputType(node, 1)) {}

  void Run(KernelContext& context) override {
    const Plan plan = PlanOf(context);
    const Tensor& a = context.input(operands_ == Operands::kSparseSparse ? 1 : 0);
    const Tensor& b = context.input(operands_ == Operands::kDenseDense ? 1 : context.num_inputs() - 2);
    VisitOneOf(SetTypes(), type_, false, [&](auto tag) {
      RunAs<typename decltype(tag)::Type>(context, plan, a, b);
      return true;
    });
  }

 private:
  Plan PlanOf(const KernelContext& context) const {
    if (operands_ == Operands::kDenseDense) return DenseRows(context.input(0), context.input(1));
    if (operands_ == Operands::kDenseSparse) return MixedRows(context.input(0), SetRuns(context, 1, validate_));
    return SparseRows(SetRuns(context, 0, validate_), SetRuns(context, 3, validate_));
  }

  template <class T>
  void RunAs(KernelContext& context, const Plan& plan, const Tensor& a, const Tensor& b) const {
    std::vector<std::vector<Member<T>>> results(plan.pairs.size());
    const auto pairs = static_cast<int64_t>(plan.pairs.size());
    const int64_t work = 16 * (a.elements() + b.elements()) / std::max<int64_t>(1, pairs);
    context.pool().ParallelFor(pairs, GrainFor(work), [&](int64_t begin, int64_t end) {
      std::vector<Member<T>> left, right;
      for (int64_t i = begin; i < end; ++i) {
        const Pair& pair = plan.pairs[static_cast<size_t>(i)];
        SortInto(a.data<T>().data(), pair.a_begin, pair.a_end, left);
        SortInto(b.data<T>().data(), pair.b_begin, pair.b_end, right);
        Apply(operation_, left, right, results[static_cast<size_t>(i)]);
      }
    });
    Put<T>(context, plan, results);
  }

  template <class T>
  void Put(KernelContext& context, const Plan& plan, const std::vector<std::vector<Member<T>>>& results) const {
    Dims dims = plan.outer;
    dims.Append(0);
    int64_t count = 0;
    for (const auto& result : results) {
      count += static_cast<int64_t>(result.size());
      dims[plan.outer.rank] = std::max(dims[plan.outer.rank], static_cast<int64_t>(result.size()));
    }
    const Shape checked = dims.ToShape();
    int64_t* at = AllocateRows(context, 0, count, checked.rank());
    T* value = context.AllocateOutput(1, type_, Shape({count})).template mutable_data<T>().data();
    SetDims(context, 2, dims);
    for (size_t i = 0; i < results.size(); ++i) {
      const Pair& pair = plan.pairs[i];
      for (size_t j = 0; j < results[i].size(); ++j, at += dims.rank) {
        if (pair.row != nullptr) {
          std::copy(pair.row, pair.row + plan.outer.rank, at);
        } else {
          SetCoordinates(plan.outer, pair.place, at);
        }
        at[plan.outer.rank] = static_cast<int64_t>(j);
        *value++ = T(results[i][j]);
      }
    }
  }

  const Operands operands_;
  const Operation operation_;
  const bool validate_;
  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"DenseToDenseSetOperation", MakeWith<SetOperation, Operands::kDenseDense>},
    {"DenseToSparseSetOperation", MakeWith<SetOperation, Operands::kDenseSparse>},
    {"SparseToSparseSetOperation", MakeWith<SetOperation, Operands::kSparseSparse>},
};

}  // namespace

std::span<const KernelRow> SetSetOperation() { return kRows; }

}  // namespace plumb::fast::cpu
