// Engines of random numbers, as a checkpoint holds them.
#pragma once

#include <random>
#include <sstream>
#include <string>

#include "spec/session/saved_state.h"

namespace plumb::tools {

inline void SaveEngine(const StateWriter& writer, const std::mt19937_64& engine) {
  std::ostringstream text;
  text << engine;
  writer.PutScalar("engine", text.str());
}

inline void RestoreEngine(const StateReader& reader, std::mt19937_64& engine) {
  std::istringstream text(reader.GetScalar<std::string>("engine"));
  text >> engine;
}

}  // namespace plumb::tools
