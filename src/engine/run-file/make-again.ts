import type { ImportOverrides } from '@shared/dataset'
import { LabError } from '@shared/errors'
import { parseFilter } from '@shared/row-filter/parse-filter'
import type { RunConfig } from '@shared/run-config'
import { engineIds, type EngineId } from '@shared/variant'
import { columnTypesOf } from '../csv/column-types'
import { engines } from '../engines/index'
import type { KeptRun } from './kept-run'

/** How the data file of a kept run was read, for one that may lie elsewhere by now. @throws LabError as `inspect` */
export async function keptOverrides(
  { import: { overrides } }: KeptRun,
  path: string,
): Promise<ImportOverrides> {
  const { column_types: types, ...dialect } = overrides
  const columnTypes = await columnTypesOf(path, dialect, types)
  return types.length === 0 ? dialect : { ...dialect, columnTypes }
}

/**
 * What makes a kept run again: what was left to `auto` as it was carried out, since another variant may part from it at an
 * open point (spec section 3).
 * @param engine where to compute instead; the variant stays where that engine offers it
 * @throws LabError `run-file.start` for a live run that began from the clusters of another: the file does not have them
 */
export function configAgain(kept: KeptRun, engine: EngineId | null = null): RunConfig {
  if (kept.results.reused.includes('clusters')) {
    throw new LabError(
      'input',
      'run-file.start',
      'This run of a live change began from the clusters of the run before it, and its file does not have them: run it once more with Run, and keep that.',
    )
  }
  const config = { ...asked(kept), ...carriedOut(kept) }
  if (engine === null || engine === config.engine) return config
  const isOffered = engines[engine].variants().some(({ id }) => id === config.variant)
  return { ...config, engine, device: null, regime: null, variant: isOffered ? config.variant : 'fused' }
}

function asked({ configuration }: KeptRun): RunConfig {
  const { filter, one_hot: oneHot, column_scalings: scaled, ...named } = configuration
  const { centroids_file: centroidsFile, max_iterations: maxIterations, n_init: nInit, ...rest } = named
  const { centroid_history: centroidHistory, ...plain } = rest
  return {
    ...plain,
    ...{ centroidsFile, maxIterations, nInit, centroidHistory },
    ...(scaled && { columnScalings: scaled }),
    ...(oneHot && { oneHot }),
    ...(filter !== undefined && { filter: parseFilter(filter) }),
  }
}

function carriedOut({ configuration, results }: KeptRun): Partial<RunConfig> {
  const { device, variant, regime, engine } = results
  const known = engineIds.find((id) => id === engine)
  // What went on where another has no such regime was carried out without.
  const forced = configuration.regime === regime ? regime : null
  return { ...(known && { engine: known }), device, variant, regime: forced }
}
