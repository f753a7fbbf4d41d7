#include "tools/place_offer.h"

#include <cmath>
#include <cstdlib>
#include <string>

#include "spec/core/device_name.h"

namespace plumb::tools {
namespace {

double Positive(const std::string& text, std::string_view offer) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  Require(!text.empty() && *end == '\0' && std::isfinite(value) && value > 0, "'", text, "' in '", offer,
          "' is no number above zero: a device is NAME=MEGABYTES*SPEED, the latter two may be left out");
  return value;
}

}  // namespace

DeviceOffer ParseOffer(std::string_view text) {
  constexpr double kMegabyte = 1 << 20;
  DeviceOffer offer;
  std::string_view rest = text;
  if (const size_t star = rest.rfind('*'); star != rest.npos) {
    offer.speed = Positive(std::string(rest.substr(star + 1)), text);
    rest = rest.substr(0, star);
  }
  if (const size_t equal = rest.find('='); equal != rest.npos) {
    const double megabytes = Positive(std::string(rest.substr(equal + 1)), text);
    Require(megabytes < 1e9, "a device of ", megabytes, " megabytes, in '", text, "', is larger than any");
    offer.memory = static_cast<int64_t>(megabytes * kMegabyte);
    rest = rest.substr(0, equal);
  }
  offer.device = DeviceName::Parse(rest).ToString();
  Require(!offer.device.empty(), "'", text, "' names no device");
  return offer;
}

}  // namespace plumb::tools
