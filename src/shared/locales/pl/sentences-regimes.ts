import type { Translated } from '../../locale/messages'
import type en from '../en/sentences-regimes'

export default {
  nKDistancesStoredArgminAtomic: 'Zapisane odległości N×k, argmin, sumy atomowe, średnia, porównanie.',
  wholeMatrixExpressionsEachColumnReplicated:
    'Wyrażenia na całych macierzach: każda kolumna powtórzona k razy, argmin w wierszach.',
  theDeviceHasTooLittleMemory: 'Urządzenie ma za mało pamięci na ograniczenia tych punktów.',
  boundsAreKeptOfPointsOn:
    'Ograniczenia przechowuje się dla punktów na urządzeniu, a te się tam nie mieszczą.',
  tilesOfPointsAreBoundedFor: 'Bloki punktów mają ograniczenia do 32 cech.',
  tilesAreMadeOf2049To: 'Bloki tworzy się z 2049 do 2147483647 punktów.',
  tilesKeepLabelsOfUpTo: 'Bloki przechowują etykiety do 65533 klastrów.',
  visitsOnlyTilesOfNeighbouringPoints:
    'Odwiedza tylko bloki sąsiednich punktów, których etykiety mogły się zmienić; przebiegi, w których to się nie opłaca, głównie pierwsze, są siłowe.',
  withSoManyClustersAndDistances:
    'Przy tylu klastrach i odległościach większość bloków sąsiednich punktów zachowuje etykiety w późniejszych przebiegach.',
  boundsAPointAreKeptFor: 'Ograniczenia punktów przechowuje się dla 33 do 256 cech.',
  boundsAPointAreKeptFor9To: 'Ograniczenia punktów przechowuje się dla 9 do 4096 klastrów.',
  boundsAPointComeFromA: 'Ograniczenia punktów pochodzą z filtra, który wymaga compute capability 8.0.',
  visitsOfOpenPointsDoNot: 'Odwiedziny otwartych punktów nie mieszczą się w pamięci współdzielonej bloku.',
  boundsAreKeptOfUpTo: 'Ograniczenia przechowuje się do 2147483647 punktów.',
  twoBoundsAPointLeftBehind:
    'Dwa ograniczenia na punkt, pozostawione przez metodę siłową z filtrem, aż odwiedzanie otwartych punktów trwa krócej.',
  boxesOfOrderedPointsOneThat:
    'Prostopadłościany uporządkowanych punktów; taki, który może należeć tylko do jednego centroidu, przenosi sumy w całości.',
  theFilterOfBoxesIsProven: 'Filtr prostopadłościanów jest udowodniony do {0} cech.',
  boxesKeepCandidatesOfUpTo: 'Prostopadłościany przechowują kandydatów do {0} klastrów.',
  inUpToFeaturesMostBoxes:
    'Do {0} cech większość prostopadłościanów sąsiednich punktów leży w niewielu klastrach.',
  thePointsLieSoThatBoxes:
    'Punkty leżą tak, że prostopadłościany sąsiadów mieszczą się w niewielu klastrach.',
  boxesPayWhereNeighbouringPointsLie:
    'Prostopadłościany opłacają się, gdy sąsiednie punkty leżą w niewielu klastrach; rozstrzyga to próba.',
  boundsFromTheDirectionsInWhich:
    'Ograniczenia z kierunków największej zmienności punktów pomijają prawie wszystkie odległości; grupy jak w tiled-scores.',
  projectionsNeedFeaturesOrMore: 'Rzuty wymagają co najmniej {0} cech.',
  theMarginOfProjectionsIsProven: 'Margines rzutów jest udowodniony dla mniej niż {0} cech.',
  thePointsVaryAlongSoFew:
    'Punkty zmieniają się w tak niewielu kierunkach, że ograniczenia z nich pomijają prawie wszystkie odległości.',
  boundsFromAFewDirectionsPay:
    'Ograniczenia z kilku kierunków opłacają się, gdy punkty zmieniają się w niewielu; rozstrzyga to próba.',
  tilesOfPointsByBlocksOf:
    'Bloki punktów na bloki centroidów; oceny z udowodnionym marginesem znajdują najbliższy, w marginesie rozstrzygają odległości. Gdzie klastry są rozdzielone, dalej działają grupy sąsiednich punktów z listami centroidów, które mogą być najbliższe.',
  theMarginOfScoresIsProven: 'Margines ocen jest udowodniony dla mniej niż {0} cech.',
  fromCentroidsOnScoresTakeLess: 'Od {0} centroidów oceny kosztują mniej niż odległości.',
  fromFeaturesOnScoresTakeLess: 'Od {0} cech oceny kosztują mniej niż odległości.',
  tilesOfPointsByBlocksOfCentroidsEvery: 'Bloki punktów na bloki centroidów, obliczana każda odległość.',
  belowCentroidsComputingEveryDistanceTakes:
    'Poniżej {0} centroidów obliczanie każdej odległości kosztuje najmniej.',
  theFeaturesAreTooManyFor: 'Cech jest za dużo dla ocen.',
  pointsThatPassThroughTheDevice:
    'Punktów, które w każdej iteracji przechodzą przez urządzenie, nie można tam trzymać w innej postaci.',
  wholeRunsInOneLaunchHold: 'Całe przebiegi w jednym uruchomieniu obejmują punkty do 4 cech.',
  theDeviceCannotLaunchBlocksThat: 'Urządzenie nie może uruchomić bloków, które czekają na siebie nawzajem.',
  devicesThatShareTheRowsAdd: 'Urządzenia dzielące wiersze sumują swoje wyniki w każdej iteracji.',
  iterationsThatAreTimedOneBy: 'Iteracje mierzone pojedynczo nie mogą dzielić jednego uruchomienia.',
  pointsStayInRegistersBlocksSend:
    'Punkty pozostają w rejestrach; bloki przesyłają sobie sumy, więc wiele iteracji to jedno uruchomienie.',
  blocksWouldHaveTooManySums: 'Bloki miałyby za dużo sum do przesłania.',
  theRegistersHoldAllPointsAnd: 'Rejestry mieszczą wszystkie punkty, a bloki mają niewiele sum do wymiany.',
  pointsStayInRegistersForMany:
    'Punkty pozostają w rejestrach przez wiele iteracji w jednym uruchomieniu, z barierą wszystkich bloków w każdej.',
  theRegistersDoNotHoldAll: 'Rejestry nie mieszczą wszystkich punktów albo blok wszystkich centroidów.',
  theRegistersOfTheDeviceHold: 'Rejestry urządzenia mieszczą wszystkie punkty.',
  pointsInAnOrderOfNeighbours:
    'Punkty w porządku sąsiedztwa; ich porcje sprawdzają tylko centroidy, które mogą być najbliższe któremuś z nich.',
  chunksOfNeighboursHoldPointsOf: 'Porcje sąsiadów obejmują punkty do 32 cech.',
  chunksOfNeighboursNeedComputeCapability: 'Porcje sąsiadów wymagają compute capability 8.0.',
  neighboursAreFoundAmong2049To: 'Sąsiadów szuka się wśród 2049 do 2147483647 punktów.',
  listsOfCentroidsNumberUpTo: 'Listy centroidów liczą do 4096 pozycji.',
  centroidsAndSumsDoNotFit: 'Centroidy i sumy nie mieszczą się w pamięci współdzielonej bloku.',
  neighboursLieTogetherSoThatMost: 'Sąsiedzi leżą razem, więc większość odległości nie może mieć znaczenia.',
  distancesCannotMatterWhereNeighbours:
    'Większość odległości nie może mieć znaczenia, gdy sąsiedzi leżą razem; rozstrzyga to próba.',
  eachWarpHasTilesOfPoints:
    'Każdy warp ma bloki punktów w pamięci współdzielonej, kopiowane z wyprzedzeniem; odległości albo oceny wskazujące jeden centroid; sumy zmieniają się o punkty, które się przeniosły.',
  pointsInSharedMemoryAreCopied:
    'Punkty w pamięci współdzielonej kopiuje i ocenia compute capability 8.0 i nowsze.',
  pointsInSharedMemoryHaveUp: 'Punkty w pamięci współdzielonej mają do 32 cech i 128 klastrów albo 64 i 64.',
  clustersAreSoFewThatReading: 'Klastrów jest tak mało, że najdłużej trwa odczyt punktów, tu wykonywany raz.',
  rowsPassThroughSharedMemoryBy:
    'Wiersze przechodzą przez pamięć współdzieloną kawałkami, iloczyny ze wszystkimi centroidami na jednostkach macierzowych pozostawiają niewiele wątpliwych; sumy zmieniają się o punkty, które się przeniosły.',
  rowsAreCopiedByPiecesAnd: 'Wiersze kopiuje kawałkami i ocenia compute capability 8.0 i nowsze.',
  rowsByPiecesHaveUpTo:
    'Wiersze w kawałkach mają do 128 klastrów, których centroidy mieszczą się w pamięci współdzielonej bloku jako dwa float16 każdy.',
  featuresAreManyAndClustersSo:
    'Cech jest wiele, a klastrów tak mało, że najdłużej trwa odczyt punktów, tu wykonywany raz.',
  scoresOnMatrixUnitsChooseA:
    'Oceny na jednostkach macierzowych wybierają grupę ośmiu centroidów w pamięci współdzielonej, w niej rozstrzygają odległości.',
  matrixScoresHaveUpTo32: 'Oceny macierzowe mają do 32 cech.',
  matrixScoresNeedMatrixUnitsOf: 'Oceny macierzowe wymagają jednostek macierzowych compute capability 8.0.',
  theCentroidsDoNotFitInto: 'Centroidy nie mieszczą się w pamięci współdzielonej bloku jako float16.',
  theSharedMemoryOfABlock:
    'Pamięć współdzielona bloku mieści wszystkie centroidy jako float16 i są jednostki macierzowe.',
  productsInFloat16OnMatrixUnits:
    'Iloczyny w float16 na jednostkach macierzowych pozostawiają niewiele wątpliwych centroidów, między nimi rozstrzygają odległości; sumy zmieniają się o punkty, które się przeniosły.',
  theFilterByMatrixUnitsIs: 'Filtr na jednostkach macierzowych jest dla co najmniej 9 cech.',
  theFilterNeedsMatrixUnitsOf: 'Filtr wymaga jednostek macierzowych compute capability 8.0.',
  theFilterPartsCentroidsIntoGroups:
    'Filtr dzieli centroidy na grupy po 8: do 8 klastrów nie ma czego dzielić.',
  theFilterKnowsUpTo8388608: 'Filtr rozróżnia do 8388608 klastrów.',
  featuresAndClustersAreSoMany:
    'Cech i klastrów jest tyle, że opłacają się iloczyny w float16 na jednostkach macierzowych, które pozostawiają niewiele wątpliwych.',
  tilesOfPointsByCentroidsIn: 'Bloki punktów na centroidy w rejestrach, sumy w pamięci globalnej.',
  pointsPassThroughTheDeviceAnd: 'Punkty przechodzą przez urządzenie, a cech jest wiele.',
  itTakesAnyShape: 'Przyjmuje każdy kształt.',
  aFilterOnMatrixUnitsWith:
    'Filtr na jednostkach macierzowych z udowodnionym marginesem pozostawia niewiele odległości; sumy podążają za punktami, które się przeniosły.',
  theDeviceHasNoMatrixUnits: 'Urządzenie nie ma jednostek macierzowych, których WebGPU mogłoby użyć.',
  itTakesAtMostFeatures: 'Przyjmuje najwyżej {0} cech.',
  theDeviceHasMatrixUnitsAnd: 'Urządzenie ma jednostki macierzowe, a iteracja ma {0} mnożeń z dodawaniem.',
  pointsOfThePlaneInThe:
    'Punkty płaszczyzny w porządku krzywej: komórki, w których najbliższy jest jeden centroid, oddają swoje sumy bez zmian.',
  soManyPointsOfThePlane:
    'Tyle punktów płaszczyzny na {0} klastrów, że większość komórek ma jeden najbliższy centroid.',
  pointsOfThePlaneInTheOrderOf:
    'Punkty płaszczyzny w porządku krzywej: ich prostokąty wymieniają centroidy, które mogą być najbliższe.',
  boxesOfPointsInThePlane: 'Prostokąty punktów na płaszczyźnie mają blisko niewiele z {0} centroidów.',
  pointsCellByCellDistancesTo:
    'Punkty komórka po komórce: odległości tylko do centroidów, które mogą być najbliższe w komórce.',
  thereIsNoMemoryForA: 'Nie ma pamięci na drugą kopię punktów.',
  pointsPayForAnOrderOf:
    '{0} punktów uzasadnia własny porządek: ich komórki mają blisko niewiele centroidów.',
  centroidsAndTheSumsOfA:
    'Centroidy i sumy grupy roboczej w jej pamięci, punkty w rejestrach; przy wielu klastrach wybierają oceny.',
  pointsOfFitIntoRegisters: 'Punkty ({0}) mieszczą się w rejestrach.',
  aPointALaneCentroidsIn:
    'Punkt na tor, centroidy w pamięci grupy roboczej; potem cztery cechy na tor, sumowane bez operacji atomowych.',
  onASoftwareAdapterLanesCost: 'Na adapterze programowym tory obok siebie kosztują więcej, niż oszczędzają.',
  tilesOfPointsAndCentroidsIn:
    'Bloki punktów i centroidów w pamięci grupy roboczej; wybierają oceny, sumy zmieniają się o punkty, które się przeniosły.',
  itIsForTwoFeatures: 'Jest dla dwóch cech.',
  itNeedsBytesOfWorkgroupMemory: 'Potrzebuje {0} bajtów pamięci grupy roboczej, a urządzenie ma {1}.',
  itTakesAtLeastFeatures: 'Przyjmuje co najmniej {0} cech.',
  itTakesAtMostClusters: 'Przyjmuje najwyżej {0} klastrów.',
  itWritesNoLabelsAndChanged: 'Nie zapisuje etykiet, a zmienione etykiety liczy się w każdej iteracji.',
  oneThreadPerPointCentroidsIn: 'Jeden wątek na punkt, centroidy w pamięci globalnej, sumy atomowe.',
  assignmentOnTheDeviceLabelsBack:
    'Przypisanie na urządzeniu, etykiety z powrotem, równoległa redukcja na procesorze.',
  assignmentOnTheDeviceWithoutShared:
    'Przypisanie na urządzeniu bez pamięci współdzielonej, aktualizacja w jednym przejściu na procesorze.',
  oneKernelAssignmentMembersMadeNeighbours:
    'Jedno jądro: przypisanie, członkowie ustawieni obok siebie licznikami atomowymi, kroki logarytmiczne; punkty jako kolumny.',
  approximateEveryIterationLooksAtA: 'Przybliżony: każda iteracja bierze kilka losowych punktów.',
  assignmentAndUpdateParallelOverPoints: 'Przypisanie i aktualizacja równolegle po punktach.',
  workersUsually512KeepPrivateSums:
    'Workery, zwykle 512, trzymają prywatne sumy po porcjach punktów, potem redukcja po nich.',
  oneThreadTextbookLoopsOnePass: 'Jeden wątek, pętle podręcznikowe, jedno przejście dla sum.',
  oneThreadPerPointCentroidsStaged: 'Jeden wątek na punkt, centroidy w pamięci współdzielonej, sumy atomowe.',
  pointIndicesSortedByLabelCoordinates:
    'Indeksy punktów posortowane według etykiet, współrzędne zebrane w tym porządku, redukcja segmentowa.',
  assignmentAndUpdateParallelOverPointsOnOnetbb:
    'Przypisanie i aktualizacja równolegle po punktach, na oneTBB.',
  theKernelOfGlobalAtomicsOn: 'Jądro global-atomics na kontenerach Thrust, zerowanych przez thrust::fill.',
  perBlockTreeReductionForEach:
    'Redukcja drzewiasta w bloku dla każdego klastra, potem zgrubna redukcja po blokach.',
  theVariantNamesNoRegimeThat: 'Wariant „{0}” nie wskazuje reżimu, który etykietuje punkty.',
} satisfies Translated<typeof en>
