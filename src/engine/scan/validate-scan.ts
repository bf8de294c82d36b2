import { invalidArgument, LabError } from '@shared/errors'
import { maxScannedK, type ScanConfig } from '@shared/scan'

/** @throws LabError naming what is out of its range */
export function validateScan({ kMin, kMax, restarts, run }: ScanConfig): void {
  const isK = (k: number) => Number.isSafeInteger(k) && k >= 1 && k <= maxScannedK
  if (!isK(kMin)) throw invalidArgument(`a whole number from 1 to ${maxScannedK}`, 'the smallest k', kMin)
  if (!isK(kMax)) throw invalidArgument(`a whole number from 1 to ${maxScannedK}`, 'the largest k', kMax)
  if (kMax < kMin) throw invalidArgument(`at least ${kMin}, the smallest k,`, 'the largest k', kMax)
  if (!(Number.isSafeInteger(restarts) && restarts >= 1)) {
    throw invalidArgument('a whole number from 1', 'the restarts of each k', restarts)
  }
  if (run.init !== 'file') return
  throw new LabError(
    'input',
    'scan.init',
    'A file of initial centroids has one k, and a scan tries several: choose another initialisation.',
  )
}
