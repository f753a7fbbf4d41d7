// Figures of `plumb gpu-bench`, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "tools/gpu_bench/gpu_bench.h"

namespace plumb::tools {

// What the card does when nothing of ours is between; a line for one result, and its notes below.
void Print(const CardCeilings& ceilings);
void Print(const BenchResult& result);

// {"backend", "sizes", "ceilings": null where none was measured, "benches": [{"group", "name", "seconds", "amount",
// "ceiling", "share", "batch", "notes", "error"}]}
std::string ReportJson(BenchCard& card, const std::vector<BenchResult>& results);

}  // namespace plumb::tools
