/** What main answers to who reads a comparison. */
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { partsOf } from '@shared/benchmark/document-parts'

/** @param documentOf asked anew each time that one is opened */
export function documentAnswers(documentOf: (benchId: string) => BenchmarkDocument) {
  const held: (readonly string[])[] = []
  return {
    'app.bench-document': ({ benchId }: { benchId: string }) => {
      const parts = partsOf(documentOf(benchId))
      return { ticket: held.push(parts) - 1, parts: parts.length }
    },
    'app.bench-document-part': ({ ticket, part }: { ticket: number; part: number }) => ({
      text: held[ticket]?.[part] ?? '',
    }),
  }
}
