/** The texts that the program is made of, as messages have them: `{0}` for what is put in. */
import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'

export interface SourceText {
  readonly message: string
  readonly path: string
}

/** A condition among texts doubles the forms of a sentence; more than these are none that a person reads. */
const maxForms = 16

/** What is put in stands between these until its number is known. */
const hole = '\u27e8\u27e9'

function isText(node: ts.Node): node is ts.Expression {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return true
  if (ts.isParenthesizedExpression(node)) return isText(node.expression)
  return ts.isTemplateExpression(node) || (isSum(node) && (isText(node.left) || isText(node.right)))
}

const isSum = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken

/** Every way in which an expression can be a text: `a ${b ? 'c' : 'd'}` is two. */
function formsOf(node: ts.Expression): string[] {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text]
  if (ts.isParenthesizedExpression(node)) return formsOf(node.expression)
  if (ts.isConditionalExpression(node) && (isText(node.whenTrue) || isText(node.whenFalse))) {
    return [...formsOf(node.whenTrue), ...formsOf(node.whenFalse)]
  }
  if (isSum(node) && isText(node)) return joined([formsOf(node.left), formsOf(node.right)])
  if (!ts.isTemplateExpression(node)) return [hole]
  const spans = node.templateSpans.flatMap(({ expression, literal }) => [formsOf(expression), [literal.text]])
  return joined([[node.head.text], ...spans])
}

function joined(pieces: readonly string[][]): string[] {
  return pieces.reduce(
    (starts, ends) => starts.flatMap((start) => ends.map((end) => start + end)).slice(0, maxForms),
    [''],
  )
}

function numbered(form: string): string {
  let at = 0
  return form.replaceAll(hole, () => `{${at++}}`)
}

function textsIn(path: string): SourceText[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: SourceText[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return
    if (isText(node)) found.push(...formsOf(node).map((form) => ({ message: numbered(form), path })))
    // What is put in has texts of its own, whose forms stand in the whole already where they are texts alone.
    if (isText(node)) withinText(node)
    else ts.forEachChild(node, visit)
  }
  const withinText = (node: ts.Node): void => {
    ts.forEachChild(node, (child) => {
      if (isText(child) || ts.isTemplateSpan(child) || ts.isConditionalExpression(child)) withinText(child)
      else visit(child)
    })
  }
  visit(file)
  return found
}

export function textsOf(patterns: readonly string[]): SourceText[] {
  const exclude = ['**/*.test.ts', '**/locale/**', '**/locales/**', '**/testing/**']
  return patterns.flatMap((pattern) => globSync(pattern, { exclude })).flatMap(textsIn)
}
