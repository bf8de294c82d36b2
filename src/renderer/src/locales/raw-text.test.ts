/** No words of the window outside of the message files, and none in them that nobody says. */
import { parse } from 'vue/compiler-sfc'
import { expect, it } from 'vitest'
import { flatten } from '@shared/locale/messages'
import { sharedMessages } from '@shared/locale/translate'
import en from './en'

const components = import.meta.glob<string>('../**/*.vue', { query: '?raw', import: 'default', eager: true })
const sources = Object.values(
  import.meta.glob<string>(['/src/**/*.ts', '/src/**/*.vue', '!/src/**/locales/**', '!/src/**/*.test.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).join('\n')

/** Attributes that a person reads or hears. */
const said =
  /^(title|aria-label|aria-description|aria-valuetext|placeholder|label|hint|alt|heading|empty|unit)$/
/** The same in every language. */
const names = /^(Centroid Lab|Ctrl\+\S+|CPU|CUDA|WebGPU|[A-Z]{2,4}|Esc|N|d|k|k =|x\d?|Δ|–|·|×|…|\W*)$/

interface Node {
  readonly type: number
  readonly content?: unknown
  readonly props?: readonly {
    readonly type: number
    readonly name: string
    readonly value?: { content: string }
  }[]
  readonly children?: readonly Node[]
}

function rawTexts(node: Node): string[] {
  const own = node.type === 2 ? [String(node.content).trim()] : []
  const attributes = (node.props ?? []).flatMap(({ type, name, value }) =>
    type === 6 && said.test(name) && value ? [value.content] : [],
  )
  return [...own, ...attributes, ...(node.children ?? []).flatMap(rawTexts)]
}

it.each(Object.entries(components))('%s says nothing of its own', (_path, source) => {
  const { template } = parse(source).descriptor
  const texts = template?.ast ? rawTexts(template.ast as unknown as Node) : []
  expect(texts.filter((text) => /[A-Za-z]{2}/.test(text) && !names.test(text))).toEqual([])
})

/** Keys that are put together where they are used. */
const composed = /^(units|table-heads|sentences[\w-]*|reuse)\./

it('every message is said somewhere', () => {
  const keys = Object.keys({ ...sharedMessages('en'), ...flatten(en) })
  const quoted = new Set(sources.match(/(?<=')[\w.-]+(?=')/g))
  expect(keys.filter((key) => !composed.test(key) && !quoted.has(key))).toEqual([])
})

/** Choices that the set-up of a component makes once, and not again when the language changes. */
it.each(Object.entries(components))('%s makes its choices in the language of the moment', (_path, source) => {
  const script = parse(source).descriptor.scriptSetup?.content ?? ''
  const statements = script.split(/\n(?=\S)/)
  expect(statements.filter((statement) => /^const \w+ = \w+\.map\([^]*Words\[/.test(statement))).toEqual([])
})
