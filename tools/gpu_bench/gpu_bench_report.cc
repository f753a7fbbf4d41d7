#include "tools/gpu_bench/gpu_bench_report.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "spec/core/status.h"

namespace plumb::tools {
namespace {

constexpr double kGiga = 1e9, kTera = 1e12, kMicro = 1e6;

std::string CeilingName(Ceiling ceiling) {
  switch (ceiling) {
    case Ceiling::kCopy:
      return "a copy";
    case Ceiling::kProduct:
      return "cuBLAS";
    case Ceiling::kRoundTrip:
      return "a round trip";
    case Ceiling::kHidden:
      return "its copies hidden";
  }
  return "";
}

std::string RateOf(const BenchResult& result) {
  if (result.amount == 0) return "";
  const bool is_product = result.ceiling == Ceiling::kProduct;
  const double rate = result.amount / result.seconds / (is_product ? kTera : kGiga);
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g %s", rate, is_product ? "TFLOP/s" : "GB/s");
  return text;
}

nlohmann::json ToJson(const BenchResult& result) {
  return {{"group", result.group},
          {"name", result.name},
          {"seconds", result.seconds},
          {"amount", result.amount},
          {"ceiling", CeilingName(result.ceiling)},
          {"share", result.share},
          {"batch", result.batch},
          {"notes", result.notes},
          {"error", result.error}};
}

}  // namespace

void Print(const CardCeilings& ceilings) {
  std::printf("copies: %.4g GB/s within the card, read and written; %.4g GB/s to it, %.4g GB/s from it\n",
              ceilings.copy / kGiga, ceilings.to_card / kGiga, ceilings.from_card / kGiga);
  std::printf("a round trip: %.4g us\n", ceilings.round_trip * kMicro);
  std::fflush(stdout);
}

void Print(const BenchResult& result) {
  if (!result.error.empty()) {
    std::printf("%-48s %s\n", result.name.c_str(), result.error.c_str());
  } else {
    const char* const of = result.ceiling == Ceiling::kHidden ? "" : "of ";
    std::printf("%-48s %12.1f us %16s %8.1f %% %s%s\n", result.name.c_str(), result.seconds * kMicro,
                RateOf(result).c_str(), result.share * 100, of, CeilingName(result.ceiling).c_str());
  }
  for (const std::string& note : result.notes) std::printf("    %s\n", note.c_str());
  std::fflush(stdout);
}

std::string ReportJson(BenchCard& card, const std::vector<BenchResult>& results) {
  nlohmann::json benches = nlohmann::json::array();
  for (const BenchResult& result : results) benches.push_back(ToJson(result));
  nlohmann::json ceilings;
  if (card.has_ceilings()) {
    const CardCeilings& measured = card.ceilings();
    ceilings = {{"copy", measured.copy},
                {"to_card", measured.to_card},
                {"from_card", measured.from_card},
                {"round_trip", measured.round_trip}};
  }
  const BenchSizes& sizes = card.sizes();
  const nlohmann::json report = {
      {"backend", card.backend()},
      {"sizes", {{"elements", sizes.elements}, {"side", sizes.side}, {"small", sizes.is_small}}},
      {"ceilings", ceilings},
      {"benches", benches}};
  // What a library says need not be text.
  return report.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace plumb::tools
