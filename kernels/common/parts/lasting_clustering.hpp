// A clustering that outlives the loss of some of the devices that carry it out together.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "clustering.hpp"
#include "parts/shared_rows.hpp"

namespace centroid_lab {

/// Where a call fails and some of the devices are gone, the others begin the run again from its start and go through the iterations
/// that were answered already, before the call is made once more: these are the same, so that nobody sees more of it than the time it
/// takes.
class LastingClustering final : public Clustering, public SharedRows {
 public:
  /// A clustering by some of the devices. @throws as openings do.
  using Make = std::function<std::unique_ptr<Clustering>(const std::vector<int>& devices)>;
  using IsAlive = std::function<bool(int device)>;
  using NameOf = std::function<std::string(int device)>;

  /// One that is gone from the first is left out as one that is lost later.
  LastingClustering(std::vector<int> devices, Make make, IsAlive is_alive, NameOf name_of);

  void start(const float* centroids) override;
  Advance advance(std::int64_t iterations, double milliseconds, const CancelFlag& cancel) override;
  bool read(const CancelFlag& cancel, std::int32_t* labels, double& inertia) override;
  double download_ms() const override { return inner_->download_ms(); }
  BuiltPlan built() const override { return inner_->built(); }
  std::string exchange() const override;
  std::vector<std::string> losses() const override { return losses_; }

  const std::vector<float>& centroids() const override { return inner_->centroids(); }
  const Points& points() const override { return inner_->points(); }
  const Rules& rules() const override { return inner_->rules(); }

 private:
  template <class Call>
  void lastingly(const Call& call);
  void leave_out_the_lost(const std::exception& failure);
  void begin_again();

  std::vector<int> devices_;
  Make make_;
  IsAlive is_alive_;
  NameOf name_of_;
  /// Null where it is to be made anew.
  std::unique_ptr<Clustering> inner_;
  /// (k, d) of `start`, and iterations answered since.
  std::vector<float> start_;
  std::int64_t answered_ = 0;
  std::vector<std::string> losses_;
};

}  // namespace centroid_lab
