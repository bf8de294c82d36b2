import type { Translated } from '../../locale/messages'
import type en from '../en/sessionDialogs'

export default {
  openTitle: 'Otwórz tabelę lub sesję',
  sessionTitle: 'Otwórz sesję',
  saveTitle: 'Zapisz sesję',
  sessions: 'Sesje',
  openable: 'Tabele i sesje',
  untitled: 'Bez nazwy',
  andMore: '{0} i jeszcze {1}',
  ask: 'Zapisać sesję {0}?',
  askDetail:
    'Ma przebiegi lub notatki, które nie są zapisane. Bez zapisania zostaną na tym komputerze, a pierwszy ekran będzie je proponował, dopóki ich nie usuniesz.',
  save: 'Zapisz',
  leave: 'Nie zapisuj',
  cancel: 'Anuluj',
  moved: 'Przeniesiono {0} plik | Przeniesiono {0} pliki | Przeniesiono {0} plików',
  movedDetail:
    'Nie ma ich tam, gdzie miała je ta sesja: {0}. Wybierz folder: pliki w nim i w podfolderach zostaną rozpoznane po zawartości.',
  chooseFolder: 'Wybierz folder…',
  without: 'Otwórz bez nich',
  whereTitle: 'Gdzie są teraz pliki',
  look: 'Szukaj tutaj',
  closeDataset:
    'Zamknąć {0} i usunąć jego przebieg? | Zamknąć {0} i usunąć jego {1} przebiegi? | Zamknąć {0} i usunąć jego {1} przebiegów?',
  closeDetail: 'Plik danych zostaje. Przebiegi znikną z tej sesji.',
  close: 'Zamknij i usuń',
  locateTitle: 'Wskaż plik',
} satisfies Translated<typeof en>
