// One variant made of several, each with a part of the rows: on devices beside each other, or on one of them and the processor.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fixed_point.hpp"
#include "parts/split_rows.hpp"
#include "thread_pool.hpp"
#include "variant.hpp"

namespace centroid_lab {

/// A worker is gone, with what it held: its device was lost, say. The others go on with its rows.
class WorkerLost final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What takes a part of the rows.
struct Worker {
  std::string name;
  /// Rows in a time, beside the other workers'.
  double speed = 1;
  /// A variant for a part of the rows (`Points::whole` is set), whose passes leave `PassResult::fixed` where asked. It and
  /// its variant are called by one thread at a time, beside those of other workers. Either throws `WorkerLost` for good.
  std::function<std::unique_ptr<Variant>(const Points& part)> make;
};

/// All rows of a run, split among workers; the whole numbers of their sums are added, so that the result is that of one
/// worker with all rows, bit for bit, however they are split. A worker that is lost leaves its rows to the others, and the
/// pass is made again.
class JoinedParts final : public Variant {
 public:
  /// @param points of the whole run, with their magnitudes. @param step as in `split_rows`.
  /// @throws what a worker's `make` throws, WorkerLost where none is left.
  JoinedParts(const Points& points, std::size_t k, std::vector<Worker> workers, std::size_t step = part_rows);
  ~JoinedParts() override;

  void restart() override;
  bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) override;
  void labels_of_pass(std::int32_t* labels) const override;
  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override;

  /// Of each worker; empty ranges of those that are lost or too slow.
  const std::vector<RowRange>& ranges() const { return ranges_; }
  /// A sentence for each worker that was lost.
  std::vector<std::string> losses() const override { return losses_; }

 private:
  struct Part {
    std::unique_ptr<Variant> variant;
    PassResult result;
    bool complete = false;
    bool lost = false;
    std::string why;

    void lose(const WorkerLost& loss) {
      lost = true;
      why = loss.what();
    }
  };

  template <class Work>
  void on_parts(const Work& work) const;
  bool some_lost() const;
  /// Lets go of workers that were lost. @returns whether none was; else the rows are to be split anew.
  bool keep_all();
  void split();
  bool try_pass(const float* centroids, const CancelFlag& cancel, PassResult& result);
  bool add_up(PassResult& result);
  bool recall(const CancelFlag& cancel);

  Points points_;
  std::size_t k_;
  std::size_t step_;
  FixedPoint fixed_;
  std::vector<Worker> workers_;
  std::vector<RowRange> ranges_;
  mutable std::vector<Part> parts_;
  mutable ThreadPool pool_;
  std::vector<std::string> losses_;
  /// (k, d) of the last complete pass, whose labels changes are counted against; empty where there is none.
  std::vector<float> before_;
  /// Parts have been made anew since, so that they know no labels.
  bool forgot_ = false;
};

}  // namespace centroid_lab
