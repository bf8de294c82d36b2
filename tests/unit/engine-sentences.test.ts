/** The patterns by which the window says the engine's sentences in other languages are what the engine says. */
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import ts from 'typescript'
import en from '@shared/locales/en/sentences'

/** The text of a literal as a message has it: `{0}` for what is put in. */
function messageOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (!ts.isTemplateExpression(node)) return null
  return node.head.text + node.templateSpans.map(({ literal }, at) => `{${at}}${literal.text}`).join('')
}

function messagesIn(path: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const message = messageOf(node)
    if (message !== null) found.push(message)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** Made of parts, each of which stands in the engine: a sentence of a count has two forms there. */
const assembled = new Set([
  '{0} of the file was left out: {1}, in row {2}.',
  '{0} of the file were left out: {1}, the first in row {2}.',
])

it('every pattern is a sentence of the engine, word for word', () => {
  const paths = ['src/engine/**/*.ts', 'src/shared/**/*.ts', 'kernels/**/*.ts'].flatMap((pattern) =>
    globSync(pattern, { exclude: ['**/*.test.ts', '**/locales/**'] }),
  )
  const said = new Set(paths.flatMap(messagesIn))
  const unknown = Object.values(en).filter((message) => !said.has(message) && !assembled.has(message))
  expect(unknown).toEqual([])
})
