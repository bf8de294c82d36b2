import type { Translated } from '@shared/locale/messages'
import type en from '../en/shortcuts'

export default {
  keyboardShortcuts: 'Scorciatoie da tastiera',
  whereTheFocusIs: 'Dove si trova il focus',
  nameACluster: 'Nominare un cluster',
  writeANoteAboutARun: 'Scrivere una nota su un’esecuzione',
  removeARun: 'Togliere un’esecuzione',
  delete: 'Canc',
  zoomAPlot: 'Ingrandire, rimpicciolire, mostrare tutto il grafico',
  walkInAPlotOrTable: 'Muoversi in un grafico o in una tabella',
  selectARow: 'Selezionare una riga',
  space: 'Spazio',
  closeADialogOrASelection: 'Chiudere una finestra, terminare una selezione',
} satisfies Translated<typeof en>
