#include "tools/train/data/text_files.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "backends/backends.h"
#include "client/ops.h"
#include "spec/files/file_system.h"

namespace plumb::tools {
namespace {

struct NumberedLine {
  int64_t number = 0;
  std::string text;
};

// Runs `body`, which is about that line.
template <class Body>
void AtLine(const std::string& path, int64_t number, const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    throw Error(error.status().code(), Str("line ", number, " of '", path, "': ", error.status().message()));
  }
}

template <class Take>
void ForEachLine(const std::string& path, const Take& take) {
  if (!Files().Exists(path)) throw NotFound("there is no file '", path, "'");
  std::ifstream file(path);
  NumberedLine line;
  while (std::getline(file, line.text)) {
    ++line.number;
    if (line.text.ends_with('\r')) line.text.pop_back();
    if (line.text.find_first_not_of(" \t") != std::string::npos) take(line);
  }
}

// DecodeCSV in a session of its own, on as many lines as it is given.
class CsvReader {
 public:
  CsvReader(int columns, const ModelData& data)
      : lines_(ops::Placeholder(scope_, DType::kString)),
        fields_(ops::DecodeCSV(scope_, lines_, std::vector<Output>(columns, Constant(scope_, std::string())))),
        program_(scope_, OpenSession(data.backend, {.threads = data.threads})) {}

  // A vector for each column.
  std::vector<Tensor> Read(Tensor lines) { return program_.Fetch(fields_, {{lines_, std::move(lines)}}); }

 private:
  Scope scope_;
  const Output lines_;
  const std::vector<Output> fields_;
  Program program_;
};

}  // namespace

void ReadLines(const std::string& path, const std::function<void(const std::string& line)>& take) {
  ForEachLine(path, [&](const NumberedLine& line) { AtLine(path, line.number, [&] { take(line.text); }); });
}

void ReadCsv(const std::string& path, int columns, const ModelData& data,
             const std::function<void(const std::vector<std::string>& fields)>& take) {
  std::vector<NumberedLine> lines;
  ForEachLine(path, [&](const NumberedLine& line) { lines.push_back(line); });
  Tensor texts(DType::kString, {std::ssize(lines)});
  std::transform(lines.begin(), lines.end(), texts.mutable_data<std::string>().begin(),
                 [](const NumberedLine& line) { return line.text; });
  CsvReader reader(columns, data);
  std::vector<Tensor> read;
  try {
    read = reader.Read(std::move(texts));
  } catch (const Error&) {  // one of them: which one do they say alone
    for (const NumberedLine& line : lines) {
      AtLine(path, line.number, [&] { reader.Read(MakeVector<std::string>({line.text})); });
    }
    throw;
  }
  std::vector<std::string> fields(static_cast<size_t>(columns));
  for (size_t i = 0; i < lines.size(); ++i) {
    std::transform(read.begin(), read.end(), fields.begin(),
                   [i](const Tensor& column) { return column.data<std::string>()[i]; });
    AtLine(path, lines[i].number, [&] { take(fields); });
  }
}

}  // namespace plumb::tools
