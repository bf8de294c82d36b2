import { appVersion } from '@engine/app-version'
import type { RunResult } from '@engine/run/types'
import type { TextSink } from '../atomic-file'
import { placementOf, type Placement, type PlacementFeature } from './placement'

/**
 * model.pmml: a ClusteringModel of PMML 4.4 (Data Mining Group) with the scaling in its transformations. Its output has
 * the cluster and its distance in units of the scaled data.
 */
export async function writePmmlModel(result: RunResult, sink: TextSink): Promise<void> {
  const model = placementOf(result)
  await sink.write(`<?xml version="1.0" encoding="UTF-8"?>\n`)
  await sink.write(`<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4">\n`)
  await sink.write(headerOf(model) + dictionary(model) + transformations(model))
  await sink.write(modelHead(model))
  for (const { cluster, size, centroid } of model.clusters) {
    const array = `<Array n="${centroid.length}" type="real">${centroid.join(' ')}</Array>`
    await sink.write(`    <Cluster id="${cluster}" name="${cluster}" size="${size}">${array}</Cluster>\n`)
  }
  await sink.write('  </ClusteringModel>\n</PMML>\n')
}

function headerOf({ source, startedAt }: Placement): string {
  return `  <Header description="k-means clustering of ${xml(source)}">
    <Application name="Centroid Lab" version="${xml(appVersion())}"/>
    <Timestamp>${xml(startedAt)}</Timestamp>
  </Header>
`
}

function dictionary({ columns }: Placement): string {
  const fields = columns.map(({ name, texts }) => {
    if (texts === null) {
      return `    <DataField name="${xml(name)}" optype="continuous" dataType="double"/>\n`
    }
    const values = texts.map((text) => `<Value value="${xml(text)}"/>`).join('')
    return `    <DataField name="${xml(name)}" optype="categorical" dataType="string">${values}</DataField>\n`
  })
  return `  <DataDictionary numberOfFields="${columns.length}">\n${fields.join('')}  </DataDictionary>\n`
}

/** Names of derived fields are ours, so that no column has them: `x1` is the first coordinate of a point. */
function transformations(model: Placement): string {
  const { features, isUnitLength, precision } = model
  const type = precision === 'float32' ? 'float' : 'double'
  const values = features.map((feature, j) => derived(valueName(j), 'double', value(model, feature)))
  const norm = isUnitLength ? [derived('norm of the row', 'double', normOf(features.length))] : []
  const coordinates = features.map(({ offset, step }, j) => {
    const own = field(valueName(j))
    const divided = isUnitLength ? apply('/', own, field('norm of the row')) : own
    return derived(coordinateName(j), type, apply('/', apply('-', divided, constant(offset)), constant(step)))
  })
  return `  <TransformationDictionary>\n${[...values, ...norm, ...coordinates].join('')}  </TransformationDictionary>\n`
}

/** A value in units of the file, with what stands in for a missing one. */
function value({ columns }: Placement, { column, text, fill }: PlacementFeature): string {
  const name = columns[column].name
  const own =
    text === null
      ? field(name)
      : apply('if', apply('equal', field(name), word(text)), constant(1), constant(0))
  if (fill === null) return own
  return apply('if', apply('isMissing', field(name)), constant(fill), own)
}

/** A row of zeros stays as it is. */
function normOf(d: number): string {
  const squares = Array.from({ length: d }, (_, j) => apply('*', field(valueName(j)), field(valueName(j))))
  const norm = apply('sqrt', apply('sum', ...squares))
  return apply('if', apply('equal', norm, constant(0)), constant(1), norm)
}

function modelHead({ columns, features, clusters, scale }: Placement): string {
  const mining = columns.map(({ name }) => `      <MiningField name="${xml(name)}"/>\n`)
  const fields = features.map(
    (_, j) => `    <ClusteringField field="${coordinateName(j)}" compareFunction="absDiff"/>\n`,
  )
  const root = apply('*', apply('sqrt', field('squared distance')), constant(scale))
  return `  <ClusteringModel modelName="k-means" functionName="clustering" modelClass="centerBased" numberOfClusters="${clusters.length}">
    <MiningSchema>
${mining.join('')}    </MiningSchema>
    <Output>
      <OutputField name="cluster" optype="categorical" dataType="string" feature="predictedValue"/>
      <OutputField name="squared distance" optype="continuous" dataType="double" feature="affinity"/>
      <OutputField name="distance" optype="continuous" dataType="double" feature="transformedValue">${root}</OutputField>
    </Output>
    <ComparisonMeasure kind="distance"><squaredEuclidean/></ComparisonMeasure>
${fields.join('')}`
}

const valueName = (j: number): string => `value ${j + 1}`
const coordinateName = (j: number): string => `coordinate ${j + 1}`

function derived(name: string, type: string, expression: string): string {
  return `    <DerivedField name="${name}" optype="continuous" dataType="${type}">${expression}</DerivedField>\n`
}

function apply(name: string, ...parts: readonly string[]): string {
  return `<Apply function="${name}">${parts.join('')}</Apply>`
}

function field(name: string): string {
  return `<FieldRef field="${xml(name)}"/>`
}

function constant(value: number): string {
  return `<Constant dataType="double">${value}</Constant>`
}

function word(text: string): string {
  return `<Constant dataType="string">${xml(text)}</Constant>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text and attribute values; characters that XML 1.0 cannot hold become the replacement character. */
function xml(text: string): string {
  const held = text.replace(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
  return held
    .replace(/[&<>"]/g, (character) => entities[character])
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}
