// EditDistance: Levenshtein's distance with one row of the table.
#include <numeric>

#include "fastpath/cpu/lib/set_rows.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

using ComparedTypes = decltype(IntegerTypes() + FloatTypes() + ComplexTypes() + Types<bool, std::string>());

template <class T>
bool IsSame(const T& a, const T& b) {
  if constexpr (kIsFloat16<T>) {
    return static_cast<float>(a) == static_cast<float>(b);
  } else {
    return a == b;
  }
}

template <class T>
int64_t Distance(const T* a, int64_t m, const T* b, int64_t n, std::vector<int64_t>& row) {
  row.resize(static_cast<size_t>(n) + 1);
  std::iota(row.begin(), row.end(), 0);
  for (int64_t i = 0; i < m; ++i) {
    int64_t diagonal = row[0]++;
    for (int64_t j = 0; j < n; ++j) {
      int64_t& here = row[static_cast<size_t>(j) + 1];
      const int64_t replaced = diagonal + (IsSame(a[i], b[j]) ? 0 : 1);
      diagonal = here;
      here = std::min({here + 1, row[static_cast<size_t>(j)] + 1, replaced});
    }
  }
  return row.back();
}

class EditDistance final : public Kernel {
 public:
  explicit EditDistance(const Node& node)
      : type_(InputType(node, 1)), normalize_(GetAttr<bool>(node.attrs, "normalize")) {}

  void Run(KernelContext& context) override {
    const SetRuns guess(context, 0, /*validate=*/false), truth(context, 3, /*validate=*/false);
    Require(guess.outer.rank == truth.outer.rank, "hypothesis and truth have ", guess.outer.rank + 1, " and ",
            truth.outer.rank + 1, " dimensions");
    Dims outer = truth.outer;
    for (int axis = 0; axis < outer.rank; ++axis) outer[axis] = std::max(outer[axis], guess.outer[axis]);
    const Shape shape = outer.ToShape();
    Require(shape.elements() > 0, "the rows of shape ", shape.ToString(), " are none");
    Tensor& output = context.AllocateOutput(0, DType::kFloat, shape);
    FillZero(context.pool(), output);
    VisitOneOf(ComparedTypes(), type_, false, [&](auto tag) {
      RunAs<typename decltype(tag)::Type>(guess, truth, outer, output);
      return true;
    });
  }

 private:
  template <class T>
  void RunAs(const SetRuns& guess, const SetRuns& truth, const Dims& outer, Tensor& output) const {
    const T *x = truth.view.values->data<T>().data(), *y = guess.view.values->data<T>().data();
    std::vector<int64_t> table;
    size_t i = 0, j = 0;
    while (i < truth.runs.size() || j < guess.runs.size()) {
      const bool takes_truth = j == guess.runs.size() ||
                               (i < truth.runs.size() && !IsBefore(guess.runs[j].row, truth.runs[i].row, outer.rank));
      const bool takes_guess = i == truth.runs.size() ||
                               (j < guess.runs.size() && !IsBefore(truth.runs[i].row, guess.runs[j].row, outer.rank));
      const SetRun a = takes_truth ? truth.runs[i] : SetRun(), b = takes_guess ? guess.runs[j] : SetRun();
      const auto distance =
          static_cast<float>(Distance(x + a.begin, a.end - a.begin, y + b.begin, b.end - b.begin, table));
      const int64_t place = PlaceIn(outer, takes_truth ? a.row : b.row);
      if (place < 0 || place >= output.elements()) {
        throw Internal("a row lies at place ", place, ", outside of the shape ", output.shape().ToString());
      }
      const auto length = static_cast<float>(a.end - a.begin);
      output.mutable_data<float>()[static_cast<size_t>(place)] = normalize_ ? distance / length : distance;
      i += takes_truth ? 1 : 0;
      j += takes_guess ? 1 : 0;
    }
  }

  const DType type_;
  const bool normalize_;
};

constexpr KernelRow kRows[] = {
    {"EditDistance", Make<EditDistance>},
};

}  // namespace

std::span<const KernelRow> SparseEditDistance() { return kRows; }

}  // namespace plumb::fast::cpu
