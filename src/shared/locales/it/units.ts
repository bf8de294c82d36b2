import type { Translated } from '../../locale/messages'
import type en from '../en/units'

export default {
  case: '{0} caso | {0} casi',
  cell: '{0} cella | {0} celle',
  cluster: '{0} cluster | {0} cluster',
  column: '{0} colonna | {0} colonne',
  contender: '{0} concorrente | {0} concorrenti',
  feature: '{0} variabile | {0} variabili',
  file: '{0} file | {0} file',
  'identical setting': '{0} impostazione identica | {0} impostazioni identiche',
  iteration: '{0} iterazione | {0} iterazioni',
  line: '{0} riga | {0} righe',
  'missing cell': '{0} cella mancante | {0} celle mancanti',
  'more case': '{0} altro caso | {0} altri casi',
  'more cluster': '{0} altro cluster | {0} altri cluster',
  'more feature': '{0} altra variabile | {0} altre variabili',
  'picked row': '{0} riga scelta | {0} righe scelte',
  point: '{0} punto | {0} punti',
  repeat: '{0} ripetizione | {0} ripetizioni',
  report: '{0} rapporto | {0} rapporti',
  restart: '{0} riavvio | {0} riavvii',
  result: '{0} risultato | {0} risultati',
  row: '{0} riga | {0} righe',
  run: '{0} esecuzione | {0} esecuzioni',
  thread: '{0} thread | {0} thread',
  'warm-up run': '{0} esecuzione di riscaldamento | {0} esecuzioni di riscaldamento',
} satisfies Translated<typeof en>
