// Files of text that are read line by line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/train/data/model_data.h"

namespace plumb::tools {

// Calls `take` with each line that holds more than spaces, without the end of the line. What it throws is thrown on
// with the number of the line and the file in front. kNotFound where there is no such file.
void ReadLines(const std::string& path, const std::function<void(const std::string& line)>& take);

// The same with the fields of each line, which commas part, as DecodeCSV reads them on the backend of `data`.
// kInvalidArgument for a line of another number of fields, and for quotes that do not match.
void ReadCsv(const std::string& path, int columns, const ModelData& data,
             const std::function<void(const std::vector<std::string>& fields)>& take);

}  // namespace plumb::tools
