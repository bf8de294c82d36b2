import type { Feature, Image } from 'write-excel-file/node'
import { tag } from './charts/xml'

/** Of every row of the sheet of plots, in whatever program: what lies on it is placed by rows. */
export const rowPixels = 20
const pointsOfPixel = 0.75
/** The last column that there can be. */
const lastColumn = 16_383

/**
 * Prints tables on pages as wide as they are, and plots on a page each, for write-excel-file, which has no such settings.
 * @param plots 0-based, the sheet of plots among the sheets
 * @param starts 0-based, rows of that sheet with which a plot begins
 */
export function pagesFeature(plots: number, starts: readonly number[]): Feature<Image['content']> {
  const breaks = starts.slice(1).map((id) => tag('brk', { id, min: 0, max: lastColumn, man: 1 }))
  const counted = { count: breaks.length, manualBreakCount: breaks.length }
  const rowHeight = tag('sheetFormatPr', { defaultRowHeight: rowPixels * pointsOfPixel, customHeight: 1 })
  return {
    files: {
      transform: {
        'xl/worksheets/sheet{id}.xml': {
          transform: (xml, _options, { sheetIndex }) => {
            if (sheetIndex !== plots) return xml.replace(/<worksheet [^>]*>/, `$&${fitted}`)
            const high = xml.replace('<cols>', `${rowHeight}<cols>`)
            return breaks.length === 0
              ? high
              : high.replace('<drawing ', `${tag('rowBreaks', counted, ...breaks)}<drawing `)
          },
          transformElementAttributes: (name, attributes) =>
            name === 'pageSetup' ? { ...attributes, fitToWidth: 1, fitToHeight: 0 } : attributes,
        },
      },
    },
  }
}

/** The first child of a sheet. */
const fitted = tag('sheetPr', {}, tag('pageSetUpPr', { fitToPage: 1 }))
