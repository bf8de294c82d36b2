import type { SuitePreset } from '@shared/benchmark/suite'
import { invalidArgument } from '@shared/errors'
import { dhanasekaranRubin } from './dhanasekaran-rubin'
import { diDio } from './di-dio'
import { fourModules } from './four-modules'
import { goldsborough } from './goldsborough'

/**
 * Every table and plotted figure of the five studies as a suite on generated data of the same shape, with the
 * published figures. `scale` multiplies the points of each case, which never become fewer than its clusters.
 * @throws LabError `input` for a scale that is not a number above 0
 */
export function presets(scale: number): readonly SuitePreset[] {
  if (!(Number.isFinite(scale) && scale > 0)) throw invalidArgument('a number above 0', 'the scale', scale)
  return [...goldsborough(scale), ...diDio(scale), ...dhanasekaranRubin(scale), ...fourModules(scale)]
}
