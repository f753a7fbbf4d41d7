#include "client/training/checkpoint_scores.h"

#include <charconv>
#include <string_view>

#include "spec/core/status.h"

namespace plumb {
namespace {

constexpr int64_t kMaxBytes = int64_t{1} << 26;

std::string PathIn(const std::string& folder) { return Str(folder, folder.empty() ? "" : "/", "checkpoint.scores"); }

}  // namespace

// Each line is a score, a space and a name.
std::map<std::string, double> ReadCheckpointScores(const FileSystem& files, const std::string& folder) {
  std::map<std::string, double> scores;
  if (!files.Exists(PathIn(folder))) return scores;
  const std::string text = files.Read(PathIn(folder), kMaxBytes);
  for (size_t begin = 0; begin < text.size();) {
    const std::string_view line = std::string_view(text).substr(begin, text.find('\n', begin) - begin);
    begin += line.size() + 1;
    double score = 0;
    const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), score);
    const auto space = static_cast<size_t>(rest - line.data());
    if (error == std::errc() && space < line.size() && line[space] == ' ')
      scores[std::string(line.substr(space + 1))] = score;
  }
  return scores;
}

void WriteCheckpointScores(const FileSystem& files, const std::string& folder,
                           const std::map<std::string, double>& scores) {
  std::string text;
  for (const auto& [name, score] : scores) {
    char digits[32];
    const auto written = std::to_chars(digits, digits + sizeof(digits), score);
    text.append(digits, written.ptr).append(" ").append(name).append("\n");
  }
  files.Write(PathIn(folder), text);
}

}  // namespace plumb
