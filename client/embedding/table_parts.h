// A table in parts: its shape, its rows, and which ids each part has.
#pragma once

#include <vector>

#include "client/embedding/beside.h"
#include "client/embedding/lookup.h"

namespace plumb {

// Of the values: of a variable's, where the table is the handle of a resource variable. kInvalidArgument for a handle
// whose variable is not known.
DType ElementsOf(Output table);
PartialShape ShapeOf(Output table);
// The shape as the step knows it, a vector of int32.
Output ShapeInStep(Scope& scope, Output table);
// All values.
Output ValuesOf(Scope& scope, Output table);
// The rows that the ids name, picked beside the table: ids and rows travel.
Output RowsOf(Scope& scope, Output table, Output ids);

// The ids that one part has.
struct IdsOfPart {
  Output positions;  // among all ids
  Output rows;       // of the part
};
// For a vector of ids, by part.
std::vector<IdsOfPart> CutIds(Scope& scope, const std::vector<Output>& tables, Output ids, PartitionStrategy strategy);

}  // namespace plumb
