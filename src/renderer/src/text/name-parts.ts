/** A long name breaks where its words end, and never within its unit: `alcalinity_`, `of_`, `ash (mg/L)`. */
export const nameParts = (name: string): readonly string[] => name.split(/(?<=[_.\-/])(?=.)(?![^([]*[)\]])/)
