import type { SuitePreset } from '@shared/benchmark/suite'
import { scaleSuite } from '../scale-suite'
import { dhanasekaranRubin } from './dhanasekaran-rubin'
import { diDio } from './di-dio'
import { fourModules, fourModulesSmall } from './four-modules'
import { goldsborough } from './goldsborough'

/**
 * Every published table and plotted figure of the studies, and sweeps for the project of which no figures are known,
 * each a suite on generated data of the same shape, with the published figures. `scale` multiplies the points of each
 * case, which never become fewer than its clusters.
 * @throws LabError `input` for a scale that is not a number above 0
 */
export function presets(scale: number): readonly SuitePreset[] {
  const full = [...goldsborough, ...diDio, ...dhanasekaranRubin, ...fourModules]
  const scaled = full.map(({ id, suite }) => ({ id, suite: scaleSuite(suite, scale) }))
  return [...scaled, fourModulesSmall]
}
