// A configuration: everything that changes while a step runs. The step (step.h) takes one configuration to the next.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/step/prune.h"

namespace plumb::reference {

// What an edge delivers: a value or a reference, or the news that there is none.
struct Token {
  bool dead = false;
  Item item;
};

// The tokens that have arrived at one node in one iteration.
struct Arrivals {
  std::vector<std::optional<Token>> data;
  int missing_data = 0;
  int missing_control = 0;
  int live_data = 0;
  int dead_data = 0;
  bool dead_control = false;  // whether a control token came from a node that fired dead
  bool fired = false;         // rule X25
};

using FrameId = int64_t;
constexpr FrameId kRootFrame = 0;
constexpr FrameId kNoFrame = -1;

struct Iteration {
  std::unordered_map<int, Arrivals> arrivals;  // by node; made when the first token arrives
  int unfinished_nodes = 0;                    // ready or running
  int unfinished_frames = 0;                   // inner frames (rule X30)
};

// What a kernel that was set aside has left at an object (rule E2).
struct Attempt {
  int64_t ticket = 0;  // the number of the kernel's execution
  std::shared_ptr<Waitable> object;
};

// A node instance that has its tokens. Dead inputs have neither value nor reference.
struct Event {
  int node = 0;
  FrameId frame = kRootFrame;
  int64_t iteration = 0;
  bool dead = false;
  std::vector<Item> inputs;                // data inputs, as they travelled; once it has parked, as the kernel saw them
  std::shared_ptr<const Attempt> attempt;  // of a kernel that has parked
};

// The body of a function at its call path, as a step runs it (calls.h).
struct Body {
  Graph graph;  // its nodes have the names of the path
  StepGraph step;
};

// A call under way (rule FN5).
struct Call {
  Event caller;                // live, with its inputs as a kernel would see them
  std::vector<Item> args;      // of the body that runs
  std::vector<Token> results;  // of that body, by slot; dead until it has run
  bool in_condition = false;   // of a loop: which of its two bodies runs
  int depth = 1;
};

struct Returned {
  Call call;
  std::shared_ptr<const Body> body;  // that has run
};

// One execution of a loop (rule X13), or of the body of a call: a loop without Enters, of one iteration. Iterations are
// numbered from 0 and retire in order (rule X22).
struct Frame {
  std::string name;
  FrameId parent = kNoFrame;
  int64_t parent_iteration = 0;
  int64_t parallel_iterations = 1;
  int missing_enters = 0;                        // rule X15
  int64_t newest = 0;                            // the highest iteration started
  std::map<int64_t, Iteration> iterations;       // those outstanding
  std::vector<std::pair<int, Token>> constants;  // tokens of constant Enters, for every iteration (rule X16)
  std::vector<std::pair<int, Token>> queued;     // tokens of NextIterations that wait for room (rule X17)
  std::set<int> live_exits;                      // those that have delivered (rule X19)
  std::vector<int> dead_exits;                   // rule X20
  std::shared_ptr<const Body> body;              // whose nodes run here; null: the step's own
  FrameId call = kNoFrame;                       // the frame of the call that the body runs for
  std::optional<Call> returns_to;                // of that frame
  int64_t unfinished_of_call = 0;  // of that frame: nodes of the body, in all its frames, ready or running
};

struct Configuration {
  std::deque<Event> ready;       // the enabled events, in the order of becoming ready (rule E1)
  std::vector<Event> unfed;      // feeds without a value yet, of a step in pieces (rule P1)
  std::map<int, Value> fed;      // values of such feeds, by slot
  std::vector<Event> receiving;  // Recvs that wait for their message (rule E2)
  std::vector<Event> parked;     // kernels that wait at an object (rule E2), in the order of parking
  // Sent and not yet received, by rendezvous key, in the order in which they were sent (rule W31).
  std::map<std::string, std::deque<Token>> messages;
  std::map<FrameId, Frame> frames;
  std::map<std::tuple<FrameId, int64_t, std::string>, FrameId> frame_of;  // rule X13
  FrameId next_frame = kRootFrame + 1;
  std::vector<Returned> returned;             // calls whose body has run, until the step has seen to them
  ResourceStore step_resources;               // rule R6
  std::vector<std::optional<Value>> fetched;  // by slot
  int64_t fuel = INT64_MAX;                   // node instances that may still fire

  // The same in a fork of the world: references and attempts lead to the copies of what they led to.
  Configuration Clone(Copies& copies) const;
};

}  // namespace plumb::reference
