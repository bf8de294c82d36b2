import type { Translated } from '../../locale/messages'
import type en from '../en/sessionDialogs'

export default {
  openTitle: 'Apri una tabella o una sessione',
  sessionTitle: 'Apri una sessione',
  saveTitle: 'Salva la sessione',
  sessions: 'Sessioni',
  openable: 'Tabelle e sessioni',
  untitled: 'Senza titolo',
  andMore: '{0} e altri {1}',
  ask: 'Salvare la sessione {0}?',
  askDetail:
    'Contiene esecuzioni o note non salvate. Senza salvare restano su questo computer e la prima schermata le propone finché non le elimini.',
  save: 'Salva',
  leave: 'Non salvare',
  cancel: 'Annulla',
  moved: '{0} file è stato spostato | {0} file sono stati spostati',
  movedDetail:
    'Non sono dove li aveva questa sessione: {0}. Scegli una cartella: i file al suo interno e nelle sottocartelle vengono riconosciuti dal contenuto.',
  chooseFolder: 'Scegli una cartella…',
  without: 'Apri senza',
  whereTitle: 'Dove sono ora i file',
  look: 'Cerca qui',
  closeDataset:
    'Chiudere {0} ed eliminare la sua esecuzione? | Chiudere {0} ed eliminare le sue {1} esecuzioni?',
  closeDetail: 'Il file di dati resta. Le esecuzioni lasciano questa sessione.',
  close: 'Chiudi ed elimina',
  locateTitle: 'Individua il file',
} satisfies Translated<typeof en>
