import type { Language } from './locale/languages'

/**
 * How tables are written: what parts the cells, and, under `semicolon`, a decimal comma in the numbers that we write, as
 * spreadsheet programs of many countries expect the two together.
 */
export const exportDialects = ['comma', 'semicolon', 'tab'] as const
export type ExportDialect = (typeof exportDialects)[number]

/** How texts and numbers are exported. */
export interface TextChoice {
  /** `comma` unless it is said. */
  readonly dialect?: ExportDialect
  /** Of reports; English unless it is said. Headers of tables are English always. */
  readonly language?: Language
  /** Texts that a spreadsheet would take for formulas get an apostrophe before them; not in labels.csv. */
  readonly neutralise?: boolean
  /**
   * (k) names given to clusters, null for none; absent where none was named: they make the column `cluster_name` of labels.csv, and
   * clusters are called so in reports.
   */
  readonly clusterNames?: readonly (string | null)[]
  /** What was noted about the run, for reports. */
  readonly note?: string
}

/** What a report is told beside the result. */
export type ReportChoice = Pick<TextChoice, 'language' | 'clusterNames' | 'note'>
