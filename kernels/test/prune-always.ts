// For the effect of its import, in tests alone: `pruned` on CUDA would do small cases by brute force, and a benchmark must
// measure what a run does.
process.env.CENTROID_LAB_PRUNE_ALWAYS = '1'
