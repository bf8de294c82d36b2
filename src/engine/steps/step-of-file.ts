const fileName = /^step-(0|[1-9]\d*)-(?:points|centroids)\.csv$/

/** The i of a file of a step pair, `step-<i>-points.csv` or `step-<i>-centroids.csv`; null for any other name. */
export function stepOfFile(name: string): number | null {
  const step = fileName.exec(name)?.[1]
  return step === undefined ? null : Number(step)
}
