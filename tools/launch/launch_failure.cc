#include "tools/launch/launch_failure.h"

#include <algorithm>
#include <charconv>
#include <regex>

#include "spec/core/status.h"

namespace plumb::tools {

std::optional<LostRank> FindLostRank(std::string_view errors) {
  static const std::regex killed(
      R"(process\s+rank\s+(\d+)\s+with\s+PID\s+\d+\s+on\s+node\s+(\S+)\s+exited\s+on\s+signal\s+(\d+(\s+\([^)]*\))?))");
  static const std::regex failed(R"(Process\s+name:\s+\[\[\d+,\d+\],(\d+)\]\s+Exit\s+code:\s+(\d+))");
  const std::string text(errors);
  std::smatch found;
  if (std::regex_search(text, found, killed)) {
    return LostRank{std::stoi(found[1]), Str("was killed on ", found[2].str(), " by signal ", found[3].str())};
  }
  if (std::regex_search(text, found, failed)) {
    return LostRank{std::stoi(found[1]), Str("ended with exit code ", found[2].str())};
  }
  return std::nullopt;
}

std::optional<std::string> CheckpointFolderOf(const std::vector<std::string>& command) {
  constexpr std::string_view kFlag = "--checkpoint";
  for (size_t i = 0; i < command.size(); ++i) {
    const std::string_view argument = command[i];
    if (argument == kFlag && i + 1 < command.size()) return command[i + 1];
    if (argument.starts_with(kFlag) && argument.substr(kFlag.size()).starts_with('=')) {
      return std::string(argument.substr(kFlag.size() + 1));
    }
  }
  return std::nullopt;
}

std::optional<long long> StepOfCheckpoint(std::string_view prefix) {
  const size_t dash = prefix.rfind('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view digits = prefix.substr(dash + 1);
  long long step = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), step);
  if (error != std::errc() || end != digits.end()) return std::nullopt;
  return step;
}

}  // namespace plumb::tools
