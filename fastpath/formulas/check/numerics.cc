#include "fastpath/formulas/check/numerics.h"

#include <string_view>
#include <vector>

namespace plumb::fast {
namespace {

// "a", "a and b", "a, b, and c".
std::string Listed(const std::vector<std::string_view>& words) {
  if (words.size() == 3) return Str(words[0], ", ", words[1], ", and ", words[2]);
  return words.size() == 2 ? Str(words[0], " and ", words[1]) : std::string(words[0]);
}

}  // namespace

Status NotFiniteStatus(const std::string& message, int found, bool tells_signs) {
  std::vector<std::string_view> kinds;
  if (tells_signs && (found & kBelowAll) != 0) kinds.push_back("-Inf");
  if (tells_signs && (found & kAboveAll) != 0) kinds.push_back("+Inf");
  if (!tells_signs && (found & (kBelowAll | kAboveAll)) != 0) kinds.push_back("Inf");
  if ((found & kNan) != 0) kinds.push_back("NaN");
  return InvalidArgument(message, " : Tensor had ", Listed(kinds), " values").status();
}

}  // namespace plumb::fast
