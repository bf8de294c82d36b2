/** A long name breaks where its words end: `alcalinity_`, `of_`, `ash`. */
export const nameParts = (name: string): readonly string[] => name.split(/(?<=[_.\-/])(?=.)/)
