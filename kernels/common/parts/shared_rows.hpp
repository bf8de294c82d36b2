// What a clustering whose rows several devices share tells of them.
#pragma once

#include <string>

namespace centroid_lab {

class SharedRows {
 public:
  virtual ~SharedRows() = default;

  /// Who adds up the sums of the devices in every iteration; empty: the host, or one device has all rows.
  virtual std::string exchange() const = 0;
};

}  // namespace centroid_lab
