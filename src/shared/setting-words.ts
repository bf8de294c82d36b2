/** Words for the settings of a run and of a file, in the window as in reports. Every map is closed by its type. */
import type { ColumnarFormat, Delimiter, Dialect, Encoding, MissingPolicy, Scaling } from './dataset'
import { t } from './locale/translate'
import type { EmptyPolicy, InitMethod, ScalingChoice, StopRule } from './run-config'
import type { EngineId } from './variant'

export const engineWords: Readonly<Record<EngineId, string>> = { cpu: 'CPU', cuda: 'CUDA', webgpu: 'WebGPU' }

export const initWords: Readonly<Record<InitMethod, string>> = {
  'k-means++': 'k-means++',
  get 'first-k'() {
    return t('setting-words.firstKRows')
  },
  get random() {
    return t('setting-words.randomRows')
  },
  get 'random-box'() {
    return t('setting-words.randomCoordinates')
  },
  'k-means||': 'k-means||',
  get file() {
    return t('setting-words.fromAFile')
  },
}

export const stopWords: Readonly<Record<StopRule, string>> = {
  get 'relative-shift'() {
    return t('setting-words.relativeShift')
  },
  get 'coordinate-shift'() {
    return t('setting-words.coordinateShift')
  },
  get inertia() {
    return t('setting-words.inertiaGain')
  },
  get labels() {
    return t('setting-words.labelsChanged')
  },
  get none() {
    return t('setting-words.fixedNumberOfIterations')
  },
}

export const missingWords: Readonly<Record<MissingPolicy, string>> = {
  get drop() {
    return t('setting-words.dropTheRow')
  },
  get mean() {
    return t('setting-words.columnMean')
  },
  get median() {
    return t('setting-words.columnMedian')
  },
  get refuse() {
    return t('setting-words.refuseToRun')
  },
}

export const scalingWords: Readonly<Record<Scaling, string>> = {
  get none() {
    return t('setting-words.none')
  },
  get standardise() {
    return t('setting-words.standardise')
  },
  get 'min-max'() {
    return t('setting-words.minMax')
  },
  get robust() {
    return t('setting-words.robust')
  },
  get 'unit-length'() {
    return t('setting-words.unitLength')
  },
}

/** `Standardise, but a: Robust`. */
export function scalingsInWords({ scaling, columnScalings = [] }: ScalingChoice): string {
  const own = columnScalings.map((one) => `${one.column}: ${scalingWords[one.scaling]}`)
  return own.length === 0
    ? scalingWords[scaling]
    : t('setting-words.but', [scalingWords[scaling], own.join(', ')])
}

export const emptyWords: Readonly<Record<EmptyPolicy, string>> = {
  get keep() {
    return t('setting-words.keepCentroid')
  },
  get farthest() {
    return t('setting-words.farthestPoint')
  },
  get drop() {
    return t('setting-words.dropCluster')
  },
}

export const formatWords: Readonly<Record<Dialect['format'], string>> = {
  get delimited() {
    return t('setting-words.delimited')
  },
  get headed() {
    return t('setting-words.headedNNK')
  },
}

export const delimiterWords: Readonly<Record<Delimiter, string>> = {
  get ','() {
    return t('setting-words.comma')
  },
  get '\t'() {
    return t('setting-words.tab')
  },
  get ';'() {
    return t('setting-words.semicolon')
  },
  get '|'() {
    return t('setting-words.verticalBar')
  },
  get ' '() {
    return t('setting-words.blanks')
  },
}

export const columnarWords: Readonly<Record<ColumnarFormat, string>> = {
  get npy() {
    return t('setting-words.numpyArray')
  },
  parquet: 'Parquet',
  get arrow() {
    return t('setting-words.arrowIpcFeather')
  },
}

export const encodingWords: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  get 'utf-16le'() {
    return t('setting-words.utf16LittleEndian')
  },
  get 'utf-16be'() {
    return t('setting-words.utf16BigEndian')
  },
  latin1: 'Latin-1',
}
