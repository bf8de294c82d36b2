#pragma once

#include <chrono>

namespace centroid_lab {

/// Monotonic milliseconds.
inline double now_ms() {
  using std::chrono::duration;
  using std::chrono::steady_clock;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

/// Monotonic milliseconds, or 0 where nothing is to be measured: then no clock is read.
inline double mark(bool wanted) { return wanted ? now_ms() : 0.0; }

}  // namespace centroid_lab
