// A benchmark case on disk: a graph file and what one step of it is. Every peer reads the same files.
//
// NAME.case is text, one fact a line:
//   graph NAME.pb                       a binary GraphDef beside this file
//   items 2000                          units of work in a step; times are given per unit
//   feed x:0 float32 uniform -1 1 [100,784]
//   feed y:0 int32 below 10 [100]       numbers 0 … 9
//   feed z:0 bool bytes NAME.bin 64 [8]  those of a file beside this one, from byte 64 on
//   fetch loss:0   |   target train   |   init init
//   runner enqueue                      a thread runs this node beside the steps, again and again
//   cpus 2                              devices that the session has
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace plumb::peers {

struct CaseFeed {
  std::string name;
  std::string dtype;  // of a kind of number (KindOf)
  std::vector<int64_t> dims;
  std::vector<char> bytes;  // the values, row-major
  int64_t elements = 1;
};

struct Case {
  std::string name;
  std::string graph;  // bytes of the GraphDef
  double items = 1;
  std::vector<CaseFeed> feeds;
  std::vector<std::string> fetches, targets, inits, runners;
  int cpus = 1;
};

// A type of numbers: its name, its number in TensorFlow's DataType, and the bytes of an element.
struct Kind {
  const char* name;
  int number;
  int bytes;
};
// Throws std::runtime_error where there is no such type.
const Kind& KindOf(const std::string& dtype);

// Throws std::runtime_error naming file and line.
Case ReadCase(const std::string& path);

// Threads that fill a session's queues, each by one function, called until it answers false.
class Runners {
 public:
  ~Runners() { Join(); }
  void Start(std::function<bool()> run) {
    threads_.emplace_back([run = std::move(run)] {
      while (run()) {
      }
    });
  }
  // When the session is closed, which ends them.
  void Join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::vector<std::thread> threads_;
};

// What a peer does for the driver. Errors are thrown as std::runtime_error.
class Peer {
 public:
  virtual ~Peer() = default;
  // Loads the graph into a fresh session, runs its initialisers, with all feeds, and starts its runners.
  virtual void Load(const Case& task, int threads) = 0;
  // Runs one step; returns the sum of the first fetched tensor (0 without fetches), so that peers can be compared.
  virtual double Step() = 0;
};

// Serves a driver over standard input and output until the input ends: "load FILE THREADS" → "ok",
// "run STEPS" → "NANOSECONDS VALUE" (time of all steps, value of the last one); "error TEXT" otherwise.
int Serve(Peer& peer);

}  // namespace plumb::peers
