/** Words that begin a sentence and are no names. */
const plainStart = /^(?:An?|It|Its|No|The|Their|There|This)\b/u

/** A sentence as it stands behind a colon: a name keeps its capital, another word has none. */
export function afterColon(sentence: string): string {
  return plainStart.test(sentence) ? sentence[0].toLowerCase() + sentence.slice(1) : sentence
}
