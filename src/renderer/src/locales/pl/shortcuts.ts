import type { Translated } from '@shared/locale/messages'
import type en from '../en/shortcuts'

export default {
  keyboardShortcuts: 'Skróty klawiszowe',
  whereTheFocusIs: 'Tam, gdzie jest fokus',
  nameACluster: 'Nazwij klaster',
  writeANoteAboutARun: 'Napisz notatkę o uruchomieniu',
  removeARun: 'Usuń uruchomienie',
  delete: 'Delete',
  zoomAPlot: 'Powiększ, pomniejsz, pokaż cały wykres',
  walkInAPlotOrTable: 'Poruszaj się po wykresie lub tabeli',
  selectARow: 'Zaznacz wiersz',
  space: 'Spacja',
  closeADialogOrASelection: 'Zamknij okno, zakończ zaznaczanie',
} satisfies Translated<typeof en>
