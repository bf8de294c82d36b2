// As much of a test framework as these tests need.
#pragma once

#include <cstdio>
#include <sstream>
#include <string>

namespace centroid_lab {

inline int failures = 0;

template <class... Words>
void expect(bool holds, const Words&... words) {
  if (holds) return;
  std::ostringstream text;
  (text << ... << words);
  std::printf("FAILED: %s\n", text.str().c_str());
  failures++;
}

}  // namespace centroid_lab
