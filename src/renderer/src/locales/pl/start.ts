import type { Translated } from '@shared/locale/messages'
import type en from '../en/start'

export default {
  aRunToGoOnWith: 'przebieg do kontynuacji',
  andOneToGoOnWith: '{0} i jeden do kontynuacji',
  today: 'dziś',
  yesterday: 'wczoraj',
  openAFile: 'Otwórz plik',
  opening: 'Otwieranie {0}',
  centroidLabFindsGroupsOfSimilar:
    'Centroid Lab znajduje w tabeli grupy podobnych wierszy i mówi, co wyróżnia każdą z nich.',
  dropATableHere: 'Upuść tabelę tutaj',
  aCsvFileFromASpreadsheet:
    'Wystarczy plik CSV z arkusza lub bazy danych; otwierają się też pliki Parquet, Arrow i NumPy.',
  openAFile2: 'Otwórz plik…',
  orOpenAFolderOfExported: 'Albo otwórz folder wyeksportowanych kroków…',
  aComparisonIsRunningShowIt: 'Trwa porównanie: pokaż',
  orCompareExecutionTimes: 'Albo porównaj czasy wykonania…',
  samples: 'Przykłady',
  generateData: 'Generuj dane…',
  recent: 'Ostatnie',
  clearTheListOfRecentFiles: 'Wyczyść listę ostatnich plików',
  clear: 'Wyczyść',
  continueWhereYouLeftOff: 'Wróć do przerwanej pracy',
  showFewer: 'Pokaż mniej',
  showAll: 'Pokaż wszystkie ({0})',
  discard: 'Odrzuć {0}, {1}',
  discardPermanently: 'Odrzuć na zawsze',
  discard2: 'Odrzuć',
  doneIn: 'Gotowe w {0}',
  theComparisonHasEndedItIs: 'Porównanie zakończone; jest we Wcześniejszych w benchmarku.',
  loadedIn: 'Wczytano {0}: {1} w {2}',
} satisfies Translated<typeof en>
