/** As seeding.wgsl has it: candidates have a bit each, and their sums a lane. */
export const maxCandidates = 16
