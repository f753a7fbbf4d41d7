#include "bench/peers/case.h"

#include <chrono>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

namespace plumb::peers {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Numbers in [0, 1), the same for every peer.
class Uniform {
 public:
  double operator()() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

 private:
  uint64_t state_ = 1;
};

std::vector<int64_t> ParseDims(std::string text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']')
    throw std::runtime_error("a shape is written [2,3]");
  std::vector<int64_t> dims;
  std::istringstream list(text.substr(1, text.size() - 2));
  for (std::string dim; std::getline(list, dim, ',');) dims.push_back(std::stoll(dim));
  return dims;
}

constexpr Kind kKinds[] = {
    {"float32", 1, 4}, {"float64", 2, 8},      {"int32", 3, 4},     {"uint8", 4, 1},   {"int16", 5, 2},
    {"int8", 6, 1},    {"complex64", 8, 8},    {"int64", 9, 8},     {"bool", 10, 1},   {"qint8", 11, 1},
    {"quint8", 12, 1}, {"qint32", 13, 4},      {"bfloat16", 14, 2}, {"qint16", 15, 2}, {"quint16", 16, 2},
    {"uint16", 17, 2}, {"complex128", 18, 16}, {"float16", 19, 2},  {"uint32", 22, 4}, {"uint64", 23, 8},
};

template <class T>
void Fill(CaseFeed& feed, double low, double high) {
  Uniform uniform;
  feed.bytes.resize(feed.elements * sizeof(T));
  for (int64_t i = 0; i < feed.elements; ++i) {
    const T value = static_cast<T>(low + (high - low) * uniform());
    std::memcpy(feed.bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
}

void FillFrom(const std::string& path, int64_t offset, CaseFeed& feed) {
  feed.bytes.resize(feed.elements * KindOf(feed.dtype).bytes);
  std::ifstream file(path, std::ios::binary);
  file.seekg(offset);
  if (!feed.bytes.empty() && !file.read(feed.bytes.data(), static_cast<std::streamsize>(feed.bytes.size())))
    throw std::runtime_error("too little in " + path);
}

CaseFeed ParseFeed(const std::string& folder, std::istringstream& line) {
  CaseFeed feed;
  std::string kind, file, dims;
  double low = 0, high = 0;
  line >> feed.name >> feed.dtype >> kind;
  if (kind == "uniform") line >> low;
  if (kind == "bytes") line >> file;
  line >> high >> dims;
  feed.dims = ParseDims(dims);
  for (const int64_t dim : feed.dims) feed.elements *= dim;
  if (kind == "bytes") {
    FillFrom(folder + file, static_cast<int64_t>(high), feed);
  } else if (feed.dtype == "float32") {
    Fill<float>(feed, low, high);
  } else if (feed.dtype == "int32") {
    Fill<int32_t>(feed, low, high);
  } else {
    throw std::runtime_error("numbers are drawn of float32 and int32, not of " + feed.dtype);
  }
  return feed;
}

void ParseLine(const std::string& folder, std::istringstream& line, Case& task) {
  std::string key, value;
  line >> key;
  if (key == "feed") {
    task.feeds.push_back(ParseFeed(folder, line));
    return;
  }
  line >> value;
  if (key == "graph") {
    task.graph = ReadFile(folder + value);
  } else if (key == "items") {
    task.items = std::stod(value);
  } else if (key == "fetch") {
    task.fetches.push_back(value);
  } else if (key == "target") {
    task.targets.push_back(value);
  } else if (key == "init") {
    task.inits.push_back(value);
  } else if (key == "runner") {
    task.runners.push_back(value);
  } else if (key == "cpus") {
    task.cpus = std::stoi(value);
  } else if (!key.empty()) {
    throw std::runtime_error("unknown word '" + key + "'");
  }
}

void Answer(Peer& peer, std::istringstream& command) {
  std::string verb, path;
  command >> verb;
  if (verb == "load") {
    int threads = 1;
    command >> path >> threads;
    peer.Load(ReadCase(path), threads);
    std::cout << "ok" << std::endl;
    return;
  }
  int64_t steps = 1;
  command >> steps;
  double value = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < steps; ++i) value = peer.Step();
  const std::chrono::nanoseconds elapsed = std::chrono::steady_clock::now() - start;
  std::cout << elapsed.count() << " " << value << std::endl;
}

}  // namespace

const Kind& KindOf(const std::string& dtype) {
  for (const Kind& kind : kKinds) {
    if (dtype == kind.name) return kind;
  }
  throw std::runtime_error("no type of numbers is called " + dtype);
}

Case ReadCase(const std::string& path) {
  Case task;
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  task.name = path.substr(folder.size(), path.rfind('.') - folder.size());
  std::istringstream lines(ReadFile(path));
  int number = 0;
  for (std::string text; std::getline(lines, text);) {
    ++number;
    std::istringstream line(text);
    try {
      ParseLine(folder, line, task);
    } catch (const std::exception& error) {
      throw std::runtime_error(path + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  return task;
}

int Serve(Peer& peer) {
  for (std::string text; std::getline(std::cin, text);) {
    std::istringstream command(text);
    try {
      Answer(peer, command);
    } catch (const std::exception& error) {
      std::cout << "error " << error.what() << std::endl;
    }
  }
  return 0;
}

}  // namespace plumb::peers
