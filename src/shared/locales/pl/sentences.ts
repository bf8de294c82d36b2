import type { Translated } from '../../locale/messages'
import type en from '../en/sentences'

export default {
  aSilhouetteComparesClustersAndChooseA:
    'Silhouette porównuje klastry, a {0}: wybierz k od 2 do liczby wierszy minus jeden.',
  allRowsOfTheSampleLieIn:
    'Wszystkie wiersze próby ({0}) leżą w jednym klastrze: oblicz dokładne silhouette.',
  theColumnOfNamesNoClassesChoose:
    'Kolumna „{0}” pliku {1} nie nazywa klas ({2}): wybierz kolumnę powtarzających się tekstów lub liczb całkowitych.',
  theSilhouettesCouldNotBeComputedTo:
    'Nie udało się dokończyć obliczania silhouette: spróbuj ponownie albo wybierz silnik cpu.',
  theColumnOfHasNoClassesTo:
    'Kolumna {0} pliku {1} nie ma klas do policzenia{2}: wybierz kolumnę powtarzających się tekstów albo nadaj jej typ categorical.',
  aTableOfClustersByTheTexts:
    'Tabela {0} klastrów na {1} tekstów kolumny „{2}” jest za duża: wybierz kolumnę o mniejszej liczbie tekstów lub mniejsze k.',
  theVariantOfTheEngineWorksIn:
    'Wariant {0} silnika {1} działa tylko w float32: wybierz float32 albo {2} silnika cpu.',
  theCpuEngineHasTooLittleMemory:
    'Silnik CPU ma za mało pamięci dla tych punktów: wybierz mniej wierszy lub cech albo zamknij inne programy.',
  theCpuEngineIsNotInstalled:
    'Silnik CPU nie jest zainstalowany: wybierz webgpu albo zbuduj go przez npm run setup.',
  nvidiaSupportIsNotInstalled: 'Obsługa NVIDIA nie jest zainstalowana: wybierz cpu lub webgpu.',
  mpiIsNotInstalled:
    'Podział wierszy między procesy (MPI) nie jest zainstalowany: uruchom bez mpirun albo zainstaluj libopenmpi-dev i wykonaj npm run setup.',
  thereIsNoWebgpuDeviceHereChoose: 'Nie ma tu urządzenia WebGPU „{0}”; wybierz jedno z {1}.',
  webgpuFoundNoHardwareAdapterInstallA:
    'WebGPU nie znalazło adaptera sprzętowego; zainstaluj sterownik Vulkan karty graficznej.',
  thereIsNoWebgpuKernelForThe: 'Nie ma jądra WebGPU dla wariantu „{0}”; wybierz jeden z {1}.',
  theSessionWouldNeedMoreThanThe:
    'Sesja potrzebowałaby więcej niż {0} pamięci urządzenia: podnieś ten limit albo wybierz mniej wierszy lub cech, mniejsze k lub silnik cpu.',
  theWebgpuDeviceHasNotEnoughMemory:
    'Urządzenie WebGPU nie ma dość pamięci na {0}; wybierz mniej wierszy lub cech, mniejsze k lub silnik cpu.',
  theWebgpuDeviceFailedWhileRunAgain:
    'Urządzenie WebGPU zawiodło podczas: {0}; uruchom ponownie albo wybierz silnik cpu.',
  theCudaDeviceHasTooLittleMemory:
    'Urządzenie CUDA ma za mało pamięci dla tych punktów: wybierz mniej wierszy lub cech, inne urządzenie lub silnik cpu.',
  chooseCpuOrWebgpu: '{0}: wybierz cpu lub webgpu.',
  stoppedWorkingOnThisDataPleaseTry:
    '{0} przestał działać na tych danych ({1}); spróbuj innego silnika i zgłoś to.',
  theVariantWouldNeedOfForPoints:
    'Wariant „{0}” potrzebowałby {1} z {2} dla {3} punktów i k = {4}, a wolne jest {5}: wybierz inny wariant, mniejsze k lub mniej wierszy.',
  alreadyExistsAllowItToBeReplaced: '{0} już istnieje: pozwól go zastąpić lub wybierz inną nazwę.',
  theFolderForDoesNotExistCreate: 'Folder {0} dla {1} nie istnieje: utwórz go lub wybierz inny.',
  isNotAFolderSoCannotBe: '{0} nie jest folderem, więc nie można tam zapisać {1}: wybierz folder.',
  isAFolderGiveTheFileTo: '{0} to folder: nadaj zapisywanemu plikowi inną nazwę.',
  cannotBeWrittenPermissionIsMissingChoose:
    'Nie można zapisać {0}, brak uprawnień: wybierz inny folder lub zmień jego uprawnienia.',
  couldNotBeWrittenChooseAnotherFolder:
    'Nie udało się zapisać {0} ({1}): wybierz inny folder lub inną nazwę.',
  couldNotBeWrittenBecause: 'Nie udało się zapisać {0}, bo {1}: {2}.',
  anotherRunIsWritingIntoWaitFor:
    'Inny przebieg zapisuje w {0}: poczekaj na jego koniec albo wybierz inny folder.',
  thisRunKeptNoRunAgainWith:
    'Ten przebieg nie zachował {0}: uruchom ponownie z włączoną historią (--history), potem eksportuj.',
  isTheDataFileItselfGiveThe:
    '{0} to sam plik danych: nadaj eksportowi inną nazwę, aby dane pozostały bez zmian.',
  isNotAFolderChooseAFolder: '{0} nie jest folderem: wybierz folder.',
  isNoLongerLoadedAndThisComparison:
    '{0} nie jest już wczytany, a to porównanie nie mówi, który to był plik: zacznij nowe porównanie.',
  wasLoadedWithOtherSettingsThanWhen:
    '{0} wczytano z innymi ustawieniami niż na początku porównania: wczytaj z tamtymi albo zacznij nowe.',
  hasChangedSinceThisComparisonBeganOpen:
    '{0} zmienił się od początku tego porównania: otwórz taki, jaki był, albo zacznij nowe.',
  isNotLoadedOpenThisDataFile: '{0} nie jest wczytany: otwórz ten plik danych, potem wznów porównanie.',
  isNotKnownHereLeaveItOut: '{0} nie jest tu znany: pomiń go.',
  cannotAnEmptyClusterChooseKeepFor:
    '{0} nie obsługuje {1} dla pustego klastra: wybierz keep dla pustych klastrów albo go pomiń.',
  doesNotRunHereIsTheBaseline: '{0} tu nie działa: punktem odniesienia jest {1}.',
  aLaterRunFromTheSameStart: 'Późniejszy przebieg od tego samego początku dał inny wynik.',
  canonicalContendersGiveTheSameBytes:
    'Kanoniczni uczestnicy dają te same bajty, ale wynik {0} to {1}, a wynik {2}.',
  itsResultWasNotChecked: 'Jego wyniku nie sprawdzono.',
  thisComparisonIsNoLongerKeptChoose:
    'To porównanie nie jest już zachowane: wybierz inne albo zmierz je ponownie.',
  anotherComparisonIsBeingMeasuredWaitFor:
    'Trwa pomiar innego porównania: poczekaj na koniec albo je anuluj.',
  theInitialisationFileNeedsACentroidFile:
    'Inicjalizacja „file” wymaga pliku centroidów: wybierz go lub podaj w --centroids.',
  theCentroidFileHoldsCentroidsButK:
    'Plik centroidów {0} zawiera {1} centroidów, a k to {2}: ustaw k na {3} albo wybierz inny plik.',
  centroidOfLiesTooFarFromThe:
    'Centroid {0} z {1} leży za daleko od danych w kolumnie {2}: sprawdź, czy plik należy do tych danych.',
  theFileIsDamagedOrCutOff: 'Plik {0} {1} jest uszkodzony lub ucięty: pobierz go lub spakuj ponownie.',
  theFile: 'Plik {0} {1}: {2}: {3}.',
  thereIsNoDeviceHereChooseOne: 'Nie ma tu urządzenia „{0}”: wybierz jedno z {1}.',
  thereIsNoVariantHere: 'Nie ma tu wariantu „{0}”: {1}.',
  pointsOfFeaturesWouldNeedOfMemory:
    '{0} punktów o {1} cechach potrzebuje {2} pamięci, a wolne jest {3}: wybierz mniej punktów lub cech.',
  wouldTakeAboutButTheDiskOf:
    '{0} zajmie około {1}, a dysk {2} ma wolne {3}: wybierz mniej punktów lub inny dysk.',
  holdsNoTableChooseAnotherFolder: '{0} nie zawiera tabel ({1}): wybierz inny folder.',
  rowHasBytesThatAreNotValid:
    'Wiersz {0} ma bajty niebędące poprawnym UTF-8: cały plik odczytano jako Latin-1 (windows-1252).',
  lineEndsAreMixedEachOfThem: 'Końce linii są mieszane: {0}; każdy z nich kończy wiersz.',
  row1IsSepWhichNamesThe: 'Wiersz 1 to „sep={0}”, który podaje separator: to nie dane.',
  rowWasTakenForAboveTheTable: 'Wiersz {0} uznano za {1} nad tabelą: to nie dane.',
  rowsToWereTakenForAboveThe: 'Wiersze {0} do {1} uznano za {2} nad tabelą: to nie dane.',
  allCellsAreMissing: 'Brakuje wszystkich komórek.',
  cellsAreDatesAs: 'Komórki z datami: {0}, {1}, jako {2}{3}.',
  everyNumberIs: 'Każda liczba to {0}.',
  wholeNumbersThatCountUpFrom: 'Liczby całkowite rosnące od {0}.',
  uniqueWholeNumbersInAColumnNamed: 'Niepowtarzalne liczby całkowite w kolumnie nazwanej jak identyfikator.',
  everyCellHasTheSameText: 'Każda komórka ma ten sam tekst.',
  uniqueTextsInAColumnNamedLike: 'Niepowtarzalne teksty w kolumnie nazwanej jak identyfikator.',
  differentTextsInCells: 'Różne teksty: {0}, komórki: {1}.',
  moreThanDifferentTexts: 'Ponad {0} różnych tekstów.',
  theFileHasAHeaderRowBut: 'Plik {0} ma nagłówek, ale nie ma wierszy danych: wybierz plik z danymi.',
  noColumnOfHoldsNumbersChooseA:
    'Żadna kolumna {0} nie zawiera liczb: wybierz plik z co najmniej jedną kolumną liczbową albo ustaw inny separator lub znak dziesiętny.',
  line1OfSaysPointsButRows:
    'Wiersz 1 pliku {0} podaje {1} punktów, a następuje {2} wierszy: popraw wiersz 1 lub wiersze.',
  hasChangedSinceItWasLoaded: '{0} zmienił się po wczytaniu: {1}.',
  noLongerExists: '{0} już nie istnieje, {1}.',
  theFileIsEmptyChooseAFile: 'Plik {0} jest pusty: wybierz plik z tabelą.',
  theFile2: 'Plik {0}: {1}.',
  theFileChangedWhileItWasRead:
    'Plik {0} zmienił się podczas odczytu: poczekaj, aż nic do niego nie zapisuje, i otwórz ponownie.',
  theFileIsNotATextTable: 'Plik {0} nie jest tabelą tekstową, wygląda na {1}: {2} i otwórz to.',
  theFileHoldsNulCharactersNearRow:
    'Plik {0} zawiera znaki NUL przy wierszu {1}, więc nie jest tabelą tekstową: wyeksportuj tabelę jako CSV i ją otwórz.',
  rowHasCellsWhereBelongItWas: 'Wiersz {0} ma {1} komórek zamiast {2}: pominięto go.',
  rowColumnItCountsAsMissing: 'Wiersz {0}, kolumna {1}: „{2}” {3}; liczy się jako brak.',
  theFileBeginsWithAByteOrder: 'Plik zaczyna się znacznikiem kolejności bajtów.',
  everyByteSequenceReadIsValidUtf: 'Każdy odczytany ciąg bajtów to poprawny UTF-8.',
  someBytesAreNotValidUtf8: 'Niektóre bajty nie są poprawnym UTF-8; odczytano jako Latin-1 (windows-1252).',
  theCommaSeparatesTheCells: 'Przecinek rozdziela komórki.',
  noSampledCellHasADecimalMark: 'Żadna sprawdzona komórka nie ma znaku dziesiętnego.',
  sampledCellsHaveADecimalPoint: 'Sprawdzone komórki z kropką dziesiętną: {0}.',
  sampledCellsHaveADecimalComma: 'Sprawdzone komórki z przecinkiem dziesiętnym: {0}.',
  theFirstRowHoldsNumbers: 'Pierwszy wiersz zawiera liczby.',
  theFirstRowHoldsWordsAboveColumns: 'Pierwszy wiersz zawiera słowa nad kolumnami liczb.',
  ofTheSampledRowsHaveCellsWith: '{0} sprawdzonych wierszy ma {1} komórek: {2}.',
  csvDefault: 'Domyślne dla CSV.',
  setByHand: 'Ustawiono ręcznie.',
  theFirstLinesAreNotTheCounts: 'Pierwsze wiersze nie są liczbami formatu z nagłówkiem N / n / k.',
  theCentroidFileHoldsNoCentroidsGive:
    'Plik centroidów {0} nie zawiera centroidów: dodaj po wierszu na klaster albo wybierz inny plik.',
  theCentroidFileHasNoColumnIt: 'Plik centroidów {0} nie ma kolumny {1}: potrzebna jest kolumna na cechę.',
  theScanHasNoFinishedClusteringOf:
    'Przegląd nie ma ukończonego klastrowania dla k = {0}: poczekaj albo wznów przegląd.',
  theFolderHoldsNoStepPairStep:
    'Folder {0} nie zawiera pary kroku (step-1-points.csv z step-1-centroids.csv albo dwóch tabel o wspólnym numerze): wybierz folder z wyeksportowanymi krokami.',
  theFolderHoldsButNotPutBoth: 'Folder {0} zawiera {1}, ale nie {2}: umieść tam oba pliki kroku albo żaden.',
  thisTableIsNoLongerOpenShow: 'Ta tabela nie jest już otwarta: pokaż ją ponownie.',
  aClusteringIsRunningAndWouldSpoil:
    'Trwa klastrowanie, które zepsułoby czasy: poczekaj na koniec albo je anuluj.',
  aComparisonIsBeingMeasuredAndA:
    'Trwa pomiar porównania, a klastrowanie obok zepsułoby jego czasy: wstrzymaj je lub anuluj.',
  thisRunIsNoLongerKnownRun: 'Ten przebieg nie jest już znany: uruchom go ponownie.',
  thisRunCannotBeResumedBecauseIts:
    'Tego przebiegu nie można wznowić, bo jego punkt kontrolny nie jest już zachowany: zacznij go od nowa.',
  theEngineProcessSentAnUnreadableAnswer:
    'Proces silników przysłał nieczytelną odpowiedź i rusza ponownie: powtórz ostatni krok.',
  thisDataFileIsNoLongerLoaded: 'Ten plik danych nie jest już wczytany; otwórz go ponownie.',
  aScanOfThisFileIsUnder: 'Trwa przegląd tego pliku: poczekaj albo go anuluj.',
  columnFloat32MakesValuesTheSameThat:
    'Kolumna {0}: float32 zrównuje wartości różniące się o mniej niż {1} daleko od środka kolumny, np. {2} i {3}: aby je rozróżnić, klastruj odległe wiersze w osobnym pliku albo odejmij od nich przesunięcie.',
  theHistoryKeepsTheFirstIterationsMore: 'Historia zachowuje pierwsze {0} iteracji; pominięto jeszcze {1}.',
  theTwoResultsWereMadeFromSo:
    'Oba wyniki powstały z {0}, więc ich wierszy nie można porównać: wybierz dwa wyniki z tego samego pliku.',
  hasNoUsableRowForTheChosen:
    '{0} nie ma użytecznego wiersza dla wybranych cech: wybierz inne cechy lub inną regułę dla braków.',
  theValuesOfAreTooForSquared:
    'Wartości {0} są zbyt {1} dla kwadratów odległości (około 1e{2}): wybierz skalowanie „standardise”.',
  theComputerSleptDuringThisRunThe:
    'Komputer uśpiono podczas tego przebiegu: przerwy nie ma w jego czasach, ale nie porównuj ich z innymi.',
  noCentroidMovedFromIterationOfOn:
    'Od iteracji {0} z {1} żaden centroid się nie przesunął: kolejne ją powtarzają, co niektóre warianty zauważają i oszczędzają.',
  noPointChooseASmallerKOr: '{0}: brak punktów; wybierz mniejsze k lub inną regułę dla pustych klastrów.',
  theEngineLostItsDeviceInThe:
    'Silnik {0} utracił urządzenie {1} w trakcie przebiegu: uruchom ponownie albo wybierz silnik {2}.',
  thereForKSoThatSomeClusters:
    'Dla k = {1} jest za mało wartości ({0}), więc niektóre klastry pozostają puste: wybierz k najwyżej {2}.',
  theInitialisationDoesNotDependOnThe:
    'Inicjalizacja „{0}” nie zależy od ziarna, więc wszystkie restarty ({1}) są takie same.',
  theFilterKeepsNoRowOfChange: 'Filtr nie zostawia żadnego wiersza z {0}: zmień jego warunki albo go usuń.',
  columnIsLeftOutBecauseItsCells:
    'Kolumnę {0} pominięto, bo jej komórki nie są zwykłymi liczbami, np. „{1}” w wierszu {2}: zapisz je jak 1234.5 i otwórz plik ponownie.',
  notUsedAsFeatures: 'Nieużyte jako cechy: {0}{1}.',
  hasNoColumnChooseAmong: '{0} nie ma kolumny „{1}”: wybierz spośród {2}.',
  theColumnOfHoldsNoNumbersChoose: 'Kolumna „{0}” pliku {1} nie zawiera liczb: wybierz spośród {2}{3}.',
  rowColumnOfHasNoFillThe:
    'Wiersz {0}, kolumna „{1}” pliku {2} nie ma {3}: uzupełnij komórkę albo pomiń takie wiersze (--missing drop), albo uzupełnij średnią lub medianą (--missing mean, --missing median).',
  everyRowOfHasAMissingValue:
    'Każdy wiersz {0} ma brak w wybranej cesze: wybierz inne cechy albo uzupełnij komórki średnią lub medianą (--missing mean, --missing median).',
  theScalingUnitLengthDividesWholeRows:
    'Skalowanie unit-length dzieli całe wiersze przez ich długość, co nie ma sensu dla cech one-hot kolumny „{0}”: wybierz inne skalowanie albo pomiń kolumnę.',
  theWorkCouldNotGoOnBecause: 'Praca{0} nie mogła być kontynuowana, bo {1}: {2}.',
  somethingWentWrongInsideCentroidLabYour:
    'Coś poszło nie tak w Centroid Lab: {0}. Dane i wyniki są zachowane; skopiuj szczegóły i zgłoś je.',
  expectedForButReceived: 'Oczekiwano {0} dla {1}, a otrzymano {2}.',
  theFilterCannotBeReadAtCharacter: 'Nie można odczytać filtra przy znaku {0}: {1}.',
  noOtherRegimePaysForThisShape: 'Żaden inny tryb nie opłaca się dla tego kształtu.',
  itWasAskedForByName: 'Wybrano po nazwie.',
  itHasOneWayOnly: 'Ma tylko jeden sposób.',
  theFastestExactKMeansHereAssignment:
    'Najszybsze tu dokładne k-średnie: przypisanie i sumy w jednym przejściu po punktach, na granicy sprzętu; pomijane są odległości bez znaczenia.',
  ofTheFileWasLeftOutIn: '{0} pliku pominięto: {1}, wiersz {2}.',
  ofTheFileWereLeftOutThe: '{0} pliku pominięto: {1}, pierwszy to wiersz {2}.',
  tooManyOrTooFewCells: 'za dużo lub za mało komórek',
  missingValuesInTheSelectedColumns: 'braki w wybranych kolumnach',
  pickedByHand: 'wybrane ręcznie',
  notAmongThePickedRows: 'spoza wybranych wierszy',
  theFilterDoesNotKeepThem: 'filtr {0} ich nie zostawia',
} satisfies Translated<typeof en>
