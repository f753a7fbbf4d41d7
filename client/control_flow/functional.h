// Map, Scan and Fold: loops over the rows of tensors, that is over their first axis.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "client/control_flow/while_loop.h"

namespace plumb {

using Outputs = std::vector<Output>;

struct RowsOptions {
  int parallel_iterations = 10;
  bool back_prop = true;
  bool swap_memory = false;
  bool reverse = false;       // Scan and Fold: from the last row to the first; results keep the order of the rows
  std::vector<DType> dtypes;  // Map: of the results, when they differ from those of `rows`
  std::string name;           // of the scope; empty: "map", "scan", "fold"
};

// f applied to each row (of all tensors in `rows` together, equally long), results stacked.
Outputs Map(Scope& scope, const std::function<Outputs(const Outputs&)>& f, const Outputs& rows,
            const RowsOptions& options = {});
Output Map(Scope& scope, const std::function<Output(Output)>& f, Output rows, const RowsOptions& options = {});

// state = f(state, row) for each row in turn, starting with `initial`: every state, stacked.
Outputs Scan(Scope& scope, const std::function<Outputs(const Outputs& state, const Outputs& row)>& f,
             const Outputs& rows, const Outputs& initial, const RowsOptions& options = {});
Output Scan(Scope& scope, const std::function<Output(Output state, Output row)>& f, Output rows, Output initial,
            const RowsOptions& options = {});

// The same, the last state only.
Outputs Fold(Scope& scope, const std::function<Outputs(const Outputs& state, const Outputs& row)>& f,
             const Outputs& rows, const Outputs& initial, const RowsOptions& options = {});
Output Fold(Scope& scope, const std::function<Output(Output state, Output row)>& f, Output rows, Output initial,
            const RowsOptions& options = {});

}  // namespace plumb
