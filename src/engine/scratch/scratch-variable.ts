/** Names the folder of scratch files. By itself, so that reading arguments loads nothing that keeps such files. */
export const scratchVariable = 'CENTROID_LAB_SCRATCH_DIR'
