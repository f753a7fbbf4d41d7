#include "client/control_flow/functional.h"

#include "client/tensor_array.h"

namespace plumb {
namespace {

// One loop over the rows: counter, states and the arrays that results go to.
class RowLoop {
 public:
  RowLoop(Scope& scope, const Outputs& rows, const RowsOptions& options, const char* name)
      : scope_(scope), options_(options), named_(scope.builder(), options.name.empty() ? name : options.name) {
    Require(!rows.empty(), "there are no rows to go through");
    count_ = FirstDimension(rows[0]);
    if (rows[0].shape().rank() >= 1) rows_count_ = rows[0].shape().dim(0);
    for (const Output& each : rows) rows_.push_back(TensorArray(scope, each.dtype(), count_).Unstack(each));
  }

  void AddResults(const std::vector<DType>& dtypes) {
    for (const DType dtype : dtypes) results_.push_back(TensorArray(scope_, dtype, count_));
  }

  // step(states, row) gives the next states; what `emit` picks from them goes to the results.
  using Step = std::function<Outputs(const Outputs& states, const Outputs& row)>;
  void Run(Outputs states, const Step& step, bool keeps_states) {
    const size_t carried = states.size();
    LoopVars initial = {Constant(scope_, options_.reverse ? -1 : 0)};
    if (options_.reverse) initial[0] = count_ - 1;
    initial.insert(initial.end(), states.begin(), states.end());
    for (const TensorArray& result : results_) initial.push_back(result.flow());
    const LoopVars last = WhileLoop(
        scope_, initial, [&](const LoopVars& vars) { return options_.reverse ? vars[0] >= 0 : vars[0] < count_; },
        [&](const LoopVars& vars) { return Body(vars, carried, step, keeps_states); }, LoopOptions());
    states_.assign(last.begin() + 1, last.begin() + 1 + static_cast<std::ptrdiff_t>(carried));
    for (size_t i = 0; i < results_.size(); ++i) results_[i] = results_[i].WithFlow(last[1 + carried + i]);
  }

  const Outputs& states() const { return states_; }
  Outputs Stacked() const {
    Outputs stacked;
    for (const TensorArray& result : results_) {
      stacked.push_back(result.Stack());
      const PartialShape shape = stacked.back().shape();
      if (!shape.has_rank()) continue;
      std::vector<int64_t> dims = shape.dims();
      dims[0] = rows_count_;
      scope_.builder().set_shape(stacked.back(), PartialShape(dims));
    }
    return stacked;
  }

 private:
  WhileOptions LoopOptions() const {
    WhileOptions options;
    options.parallel_iterations = options_.parallel_iterations;
    options.back_prop = options_.back_prop;
    options.swap_memory = options_.swap_memory;
    return options;
  }

  LoopVars Body(const LoopVars& vars, size_t carried, const Step& step, bool keeps_states) {
    const Outputs states(vars.begin() + 1, vars.begin() + 1 + static_cast<std::ptrdiff_t>(carried));
    Outputs row;
    for (const TensorArray& each : rows_) row.push_back(each.Read(vars[0]));
    const Outputs values = step(states, row);
    Require(values.size() == (keeps_states ? carried : results_.size()), "the function of '", scope_.builder().scope(),
            "' gives ", values.size(), " values, not ", keeps_states ? carried : results_.size());
    LoopVars next = {options_.reverse ? vars[0] - 1 : vars[0] + 1};
    if (keeps_states) next.insert(next.end(), values.begin(), values.end());
    for (size_t i = 0; i < results_.size(); ++i) {
      next.push_back(results_[i].WithFlow(vars[1 + carried + i]).Write(vars[0], values[i]).flow());
    }
    return next;
  }

  Scope& scope_;
  const RowsOptions& options_;
  GraphBuilder::NameScope named_;
  Output count_;
  int64_t rows_count_ = -1;  // -1: known only when it is run
  std::vector<TensorArray> rows_;
  std::vector<TensorArray> results_;
  Outputs states_;
};

std::vector<DType> TypesOf(const Outputs& values) {
  std::vector<DType> dtypes;
  for (const Output& value : values) dtypes.push_back(value.dtype());
  return dtypes;
}

}  // namespace

Outputs Map(Scope& scope, const std::function<Outputs(const Outputs&)>& f, const Outputs& rows,
            const RowsOptions& options) {
  RowLoop loop(scope, rows, options, "map");
  loop.AddResults(options.dtypes.empty() ? TypesOf(rows) : options.dtypes);
  loop.Run(
      {}, [&](const Outputs&, const Outputs& row) { return f(row); }, /*keeps_states=*/false);
  return loop.Stacked();
}

Outputs Scan(Scope& scope, const std::function<Outputs(const Outputs&, const Outputs&)>& f, const Outputs& rows,
             const Outputs& initial, const RowsOptions& options) {
  RowLoop loop(scope, rows, options, "scan");
  loop.AddResults(TypesOf(initial));
  loop.Run(initial, f, /*keeps_states=*/true);
  return loop.Stacked();
}

Outputs Fold(Scope& scope, const std::function<Outputs(const Outputs&, const Outputs&)>& f, const Outputs& rows,
             const Outputs& initial, const RowsOptions& options) {
  RowLoop loop(scope, rows, options, "fold");
  loop.Run(initial, f, /*keeps_states=*/true);
  return loop.states();
}

Output Map(Scope& scope, const std::function<Output(Output)>& f, Output rows, const RowsOptions& options) {
  return Map(
      scope, [&](const Outputs& row) { return Outputs{f(row[0])}; }, Outputs{rows}, options)[0];
}

Output Scan(Scope& scope, const std::function<Output(Output, Output)>& f, Output rows, Output initial,
            const RowsOptions& options) {
  const auto step = [&](const Outputs& state, const Outputs& row) { return Outputs{f(state[0], row[0])}; };
  return Scan(scope, step, Outputs{rows}, Outputs{initial}, options)[0];
}

Output Fold(Scope& scope, const std::function<Output(Output, Output)>& f, Output rows, Output initial,
            const RowsOptions& options) {
  const auto step = [&](const Outputs& state, const Outputs& row) { return Outputs{f(state[0], row[0])}; };
  return Fold(scope, step, Outputs{rows}, Outputs{initial}, options)[0];
}

}  // namespace plumb
