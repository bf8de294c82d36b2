import type { Translated } from '../../locale/messages'
import type en from '../en/units'

export default {
  case: '{0} przypadek | {0} przypadki | {0} przypadków',
  cell: '{0} komórka | {0} komórki | {0} komórek',
  cluster: '{0} klaster | {0} klastry | {0} klastrów',
  column: '{0} kolumna | {0} kolumny | {0} kolumn',
  contender: '{0} wariant | {0} warianty | {0} wariantów',
  feature: '{0} cecha | {0} cechy | {0} cech',
  file: '{0} plik | {0} pliki | {0} plików',
  'identical setting': '{0} takie samo ustawienie | {0} takie same ustawienia | {0} takich samych ustawień',
  iteration: '{0} iteracja | {0} iteracje | {0} iteracji',
  line: '{0} wiersz | {0} wiersze | {0} wierszy',
  'missing cell': '{0} brakująca komórka | {0} brakujące komórki | {0} brakujących komórek',
  'more case': '{0} kolejny przypadek | {0} kolejne przypadki | {0} kolejnych przypadków',
  'more cluster': '{0} kolejny klaster | {0} kolejne klastry | {0} kolejnych klastrów',
  'more feature': '{0} kolejna cecha | {0} kolejne cechy | {0} kolejnych cech',
  'picked row': '{0} wybrany wiersz | {0} wybrane wiersze | {0} wybranych wierszy',
  point: '{0} punkt | {0} punkty | {0} punktów',
  repeat: '{0} powtórzenie | {0} powtórzenia | {0} powtórzeń',
  report: '{0} raport | {0} raporty | {0} raportów',
  restart: '{0} restart | {0} restarty | {0} restartów',
  result: '{0} wynik | {0} wyniki | {0} wyników',
  row: '{0} wiersz | {0} wiersze | {0} wierszy',
  run: '{0} przebieg | {0} przebiegi | {0} przebiegów',
  thread: '{0} wątek | {0} wątki | {0} wątków',
  'warm-up run': '{0} przebieg rozgrzewkowy | {0} przebiegi rozgrzewkowe | {0} przebiegów rozgrzewkowych',
} satisfies Translated<typeof en>
