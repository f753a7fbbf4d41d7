#include "tools/device_offers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include "spec/core/device_name.h"
#include "spec/core/status.h"

namespace plumb::tools {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};
constexpr std::array<Unit, 10> kUnits = {{{"B", 1},
                                          {"", 1},
                                          {"kB", 1e3},
                                          {"MB", 1e6},
                                          {"GB", 1e9},
                                          {"TB", 1e12},
                                          {"KiB", 1024.0},
                                          {"MiB", 1024.0 * 1024},
                                          {"GiB", 1024.0 * 1024 * 1024},
                                          {"TiB", 1024.0 * 1024 * 1024 * 1024}}};

// The number that `text` begins with, which is taken off it. Throws unless it is above zero.
double TakeNumber(std::string_view& text, std::string_view offer) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  Require(error == std::errc() && number > 0, "the device '", offer, "': '", text,
          "' does not begin with a number above zero, as in cpu:0=2GiB or cpu:0=2GiB*1.5");
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

int64_t BytesOf(std::string_view text, std::string_view offer) {
  const double number = TakeNumber(text, offer);
  const auto unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& each) { return each.name == text; });
  Require(unit != kUnits.end(), "the device '", offer, "': '", text,
          "' is no unit of memory; there are B, kB, MB, GB, TB, KiB, MiB, GiB and TiB");
  const double bytes = number * unit->bytes;
  Require(bytes >= 1 && bytes < 9e18, "the device '", offer, "': its memory is to be between one byte and 9e18");
  return static_cast<int64_t>(bytes);
}

// What stands behind `mark`, which is taken off `text` together with it.
std::string_view TakeBehind(std::string_view& text, char mark) {
  const size_t at = std::min(text.find(mark), text.size());
  const std::string_view behind = text.substr(std::min(at + 1, text.size()));
  text = text.substr(0, at);
  return behind;
}

DeviceOffer OfferOf(std::string_view text) {
  DeviceOffer offer;
  std::string_view name = text;
  const bool has_speed = text.find('*') != std::string_view::npos,
             has_memory = text.find('=') != std::string_view::npos;
  std::string_view speed = TakeBehind(name, '*');
  const std::string_view memory = TakeBehind(name, '=');
  if (has_memory) offer.memory = BytesOf(memory, text);
  if (has_speed) {
    offer.speed = TakeNumber(speed, text);
    Require(speed.empty(), "the device '", text, "': '", speed, "' follows its speed, behind which nothing stands");
  }
  Require(!name.empty(), "the device '", text, "' has no name, as in cpu:0=2GiB");
  offer.device = DeviceName::Parse(name[0] == '/' ? std::string(name) : "/" + std::string(name)).ToString();
  Require(!offer.device.empty(), "the device '", text, "' may be any one; name one, as in cpu:0=2GiB");
  return offer;
}

}  // namespace

std::vector<DeviceOffer> ParseOffers(std::string_view text) {
  std::vector<DeviceOffer> offers;
  for (bool more = true; more;) {
    more = text.find(',') != std::string_view::npos;
    const std::string_view rest = TakeBehind(text, ',');
    offers.push_back(OfferOf(text));
    for (size_t i = 0; i + 1 < offers.size(); ++i) {
      Require(offers[i].device != offers.back().device, "the device ", offers[i].device, " stands twice");
    }
    text = rest;
  }
  return offers;
}

std::string TextOfBytes(int64_t bytes) {
  if (bytes == INT64_MAX) return "any";
  constexpr std::array<const char*, 5> kNames = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto number = static_cast<double>(bytes);
  size_t unit = 0;
  for (; number >= 1024 && unit + 1 < kNames.size(); ++unit) number /= 1024;
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g %s", number, kNames[unit]);
  return text;
}

}  // namespace plumb::tools
