import type { Translated } from '@shared/locale/messages'
import type en from '../en/start'

export default {
  aRunToGoOnWith: 'un’esecuzione da proseguire',
  andOneToGoOnWith: '{0}, e una da proseguire',
  today: 'oggi',
  yesterday: 'ieri',
  openAFile: 'Apri un file',
  opening: 'Apertura di {0}',
  centroidLabFindsGroupsOfSimilar:
    'Centroid Lab trova gruppi di righe simili in una tabella e dice che cosa distingue ogni gruppo.',
  dropATableHere: 'Rilascia qui una tabella',
  aCsvFileFromASpreadsheet:
    'Va bene un CSV da un foglio di calcolo o da un database; si aprono anche file Parquet, Arrow e NumPy.',
  openAFile2: 'Apri un file…',
  orOpenAFolderOfExported: 'O apri una cartella di passi esportati…',
  aComparisonIsRunningShowIt: 'È in corso un confronto: mostralo',
  orCompareExecutionTimes: 'O confronta i tempi di esecuzione…',
  samples: 'Esempi',
  generateData: 'Genera dati…',
  recent: 'Recenti',
  clearTheListOfRecentFiles: 'Svuota l’elenco dei file recenti',
  clear: 'Svuota',
  continueWhereYouLeftOff: 'Riprendi da dove eri rimasto',
  showFewer: 'Mostra meno',
  showAll: 'Mostra tutti i {0}',
  discard: 'Scarta {0}, {1}',
  discardPermanently: 'Scarta per sempre',
  discard2: 'Scarta',
  doneIn: 'Fatto in {0}',
  theComparisonHasEndedItIs: 'Il confronto è finito; si trova in Precedenti nel benchmark.',
  loadedIn: 'Caricato {0}: {1} in {2}',
} satisfies Translated<typeof en>
