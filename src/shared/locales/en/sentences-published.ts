/** Names, descriptions and notes of the published comparisons: the engine says them in English, each a pattern here. */
export default {
  goldsboroughTable:
    'Two-dimensional points in as many blobs as clusters, random points as the start, 300 iterations in every system that can be held to a number.',
  goldsboroughObjective:
    'The form that a later report gives, from random centroids until the objective function falls by less than a threshold.',
  whetherItsCentroids:
    'Whether its centroids are points or coordinates is not said: here they are k different points, as in the table, and --init random-box draws coordinates.',
  theThresholdAndTheLimit: 'The threshold and the limit of 300 are ours; no times of it are known.',
  meanOf5Runs:
    'Mean of 5 runs of T = 300 iterations, k = 5; for scikit-learn 300 is an upper limit, for scipy the number of restarts (here scipy makes 300 iterations of one start).',
  thePrintedCuda3:
    'The printed "CUDA 3" computes wrong centroids (its coarse reduction never sums the counts and divides sums that are not reduced), so its 0.0171 s is not a time of k-means.',
  inThePrintedEigen:
    'In the printed "Eigen" the counts start at 1 and a starting centroid is one number instead of a row, and "NumPy" does not count a coordinate that is zero.',
  inCuda2AndCuda3:
    'In CUDA 2 and CUDA 3 a thread returns before a barrier; CUDA 3 alone reduces in a block, and its last block reduces stale values where n is not a multiple of 1024.',
  theStudyShuffles:
    'The study shuffles x and y separately and picks with replacement, so that its starting centroids are not data points and may be equal; here the start is k different rows.',
  itsDataAreBlobs:
    'Its data are blobs by make_blobs with as many centres as clusters; the blobs here have the same spread (standard deviation 1 in a region of 20 x 20), but their centres are kept apart and off the edge, where make_blobs draws them uniformly.',
  titanXPascal: 'Titan X Pascal (the report says GeForce GTX)',
  diDioTable:
    'Random points of a plane, the first k of them as the start, until every coordinate of every centroid moved at most the tolerance.',
  wholeRunsToConvergence:
    'Whole runs to convergence from the first k rows; its data are not known here, nor is the number of iterations behind a time.',
  cAcceptsAShift:
    'C accepts a shift equal to the tolerance, CUDA and OpenMP ask for less; the tolerance here, 0.0001, is ours.',
  thePrintedC:
    'The printed C never stops once a cluster is empty; CUDA and OpenMP send empty clusters to the origin; OpenMP cuts coordinates to whole numbers while it sums, so its times are of another arithmetic.',
  dhanasekaranRubinTable:
    'The systems on the CPU against those on the device: five sizes, 50 iterations forced.',
  totalWallTime:
    'Total wall time of 50 forced iterations with transfers, without the creation of the data, on uniform random data.',
  thePrintedListing:
    'The printed listing lacks barriers between uses of its index array and needs n to be a multiple of 256 and the array to hold the larger of k and the group.',
  forK100:
    'For k = 100 GPU only over hybrid is 1.5 on average in the abstract and 1.7 in the table of figure 7.',
  thePointsOfTheFigure: 'The points of the figure are not printed as numbers.',
  figure5:
    'Time against the size of the data, 1 to 32 million words, a line for each of d = {0} (a choice of ours), one panel for k = 100 and one for k = 400.',
  figure7:
    'GPU only (irregular-reduction) over the hybrid (hybrid-parallel), ordered by the words that cross between host and device in an iteration: n + k d of them for the hybrid, so the cases stand in the order of n (sizes a choice of ours).',
  figure8:
    'GPU only (irregular-reduction) and the hybrid (hybrid-parallel), both over MineBench (openmp; sizes a choice of ours).',
  sweepOfPoints:
    'A sweep of the number of points, d = 4, k = {0}, 20 iterations, timed in phases, iterations and as a whole.',
  sweepOfFeatures:
    'A sweep of the number of features at 100000 points, k = {0}, 20 iterations, timed in phases, iterations and as a whole.',
  smallData:
    'Small data on which correctness is easily seen, until no label changes; they keep their size at every scale.',
  sizesAreOurs: 'Sizes, k, start and stop are a choice of ours; of the project no figures are known.',
  fourModulesPoints: 'Four modules: number of points',
  fourModulesFeatures: 'Four modules: number of features',
  fourModulesSmall: 'Four modules: small files',
  diDioName: 'Di Dio: table',
  goldsboroughName: 'Goldsborough: table',
  dhanasekaranRubinName: 'Dhanasekaran & Rubin: table',
  nameFigure: 'Dhanasekaran & Rubin: figure {0}',
  nameObjective: 'Goldsborough: objective',
}
