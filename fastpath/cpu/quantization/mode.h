// How a range of numbers is laid out in codes: what the attribute "mode" of QuantizeV2 and Dequantize says.
#pragma once

#include <string>

#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

enum class QuantizationMode { kMinCombined, kMinFirst, kScaled };

inline QuantizationMode ModeOf(const Node& node) {
  const auto& mode = GetAttr<std::string>(node.attrs, "mode");
  if (mode == "MIN_COMBINED") return QuantizationMode::kMinCombined;
  if (mode == "MIN_FIRST") return QuantizationMode::kMinFirst;
  Require(mode == "SCALED", "no mode is called ", mode);
  return QuantizationMode::kScaled;
}

}  // namespace plumb::fast::cpu
