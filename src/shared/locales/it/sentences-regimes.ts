import type { Translated } from '../../locale/messages'
import type en from '../en/sentences-regimes'

export default {
  nKDistancesStoredArgminAtomic:
    'Matrice N×k delle distanze conservata, argmin, somme atomiche, media, confronto.',
  wholeMatrixExpressionsEachColumnReplicated:
    'Espressioni su matrici intere: ogni colonna replicata k volte, argmin per riga.',
  theDeviceHasTooLittleMemory: 'Il dispositivo ha troppo poca memoria per i limiti di questi punti.',
  boundsAreKeptOfPointsOn: 'I limiti si tengono per punti sul dispositivo, e questi non vi entrano.',
  tilesOfPointsAreBoundedFor: 'I limiti dei blocchi di punti valgono fino a 32 variabili.',
  tilesAreMadeOf2049To: 'I blocchi si formano da 2049 a 2147483647 punti.',
  tilesKeepLabelsOfUpTo: 'I blocchi conservano etichette fino a 65533 cluster.',
  visitsOnlyTilesOfNeighbouringPoints:
    'Visita solo blocchi di punti vicini le cui etichette possono essere cambiate; i passaggi in cui non conviene, per lo più i primi, sono a forza bruta.',
  withSoManyClustersAndDistances:
    'Con tanti cluster e distanze, la maggior parte dei blocchi di punti vicini conserva le etichette nei passaggi successivi.',
  boundsAPointAreKeptFor: 'I limiti per punto si tengono da 33 a 256 variabili.',
  boundsAPointAreKeptFor9To: 'I limiti per punto si tengono da 9 a 4096 cluster.',
  boundsAPointComeFromA: 'I limiti per punto vengono da un filtro che richiede la compute capability 8.0.',
  visitsOfOpenPointsDoNot: 'Le visite dei punti aperti non entrano nella memoria condivisa di un blocco.',
  boundsAreKeptOfUpTo: 'I limiti si tengono fino a 2147483647 punti.',
  twoBoundsAPointLeftBehind:
    'Due limiti per punto, lasciati dalla forza bruta con il suo filtro, finché visitare i punti aperti costa meno.',
  boxesOfOrderedPointsOneThat:
    'Riquadri di punti ordinati; uno che può appartenere a un solo centroide sposta le sue somme intere.',
  theFilterOfBoxesIsProven: 'Il filtro dei riquadri è dimostrato fino a {0} variabili.',
  boxesKeepCandidatesOfUpTo: 'I riquadri conservano candidati fino a {0} cluster.',
  inUpToFeaturesMostBoxes:
    'Fino a {0} variabili la maggior parte dei riquadri di punti vicini sta in pochi cluster.',
  thePointsLieSoThatBoxes: 'I punti stanno in modo che i riquadri di vicini cadano in pochi cluster.',
  boxesPayWhereNeighbouringPointsLie:
    'I riquadri convengono dove punti vicini stanno in pochi cluster, il che decide un sondaggio.',
  boundsFromTheDirectionsInWhich:
    'I limiti dalle direzioni in cui i punti variano di più tralasciano quasi tutte le distanze; gruppi come in tiled-scores.',
  projectionsNeedFeaturesOrMore: 'Le proiezioni richiedono {0} variabili o più.',
  theMarginOfProjectionsIsProven: 'Il margine delle proiezioni è dimostrato per meno di {0} variabili.',
  thePointsVaryAlongSoFew:
    'I punti variano lungo così poche direzioni che i limiti tratti da esse tralasciano quasi tutte le distanze.',
  boundsFromAFewDirectionsPay:
    'I limiti da poche direzioni convengono dove i punti variano lungo poche, il che decide un sondaggio.',
  tilesOfPointsByBlocksOf:
    'Blocchi di punti per blocchi di centroidi; punteggi con un margine dimostrato trovano il più vicino, dentro il margine decidono le distanze. Dove i cluster sono separati, proseguono gruppi di punti vicini con liste dei centroidi che possono essere i più vicini.',
  theMarginOfScoresIsProven: 'Il margine dei punteggi è dimostrato per meno di {0} variabili.',
  fromCentroidsOnScoresTakeLess: 'Da {0} centroidi in su, i punteggi costano meno delle distanze.',
  fromFeaturesOnScoresTakeLess: 'Da {0} variabili in su, i punteggi costano meno delle distanze.',
  tilesOfPointsByBlocksOfCentroidsEvery:
    'Blocchi di punti per blocchi di centroidi, ogni distanza calcolata.',
  belowCentroidsComputingEveryDistanceTakes: 'Sotto {0} centroidi, calcolare ogni distanza costa meno.',
  theFeaturesAreTooManyFor: 'Le variabili sono troppe per i punteggi.',
  pointsThatPassThroughTheDevice:
    'I punti che passano per il dispositivo a ogni iterazione non vi si possono tenere in un’altra forma.',
  wholeRunsInOneLaunchHold: 'Le esecuzioni intere in un solo lancio tengono punti fino a 4 variabili.',
  theDeviceCannotLaunchBlocksThat: 'Il dispositivo non può lanciare blocchi che si aspettano a vicenda.',
  devicesThatShareTheRowsAdd:
    'I dispositivi che si dividono le righe sommano i loro totali a ogni iterazione.',
  iterationsThatAreTimedOneBy: 'Le iterazioni cronometrate una per una non possono stare in un solo lancio.',
  pointsStayInRegistersBlocksSend:
    'I punti restano nei registri; i blocchi si scambiano le somme, così molte iterazioni sono un solo lancio.',
  blocksWouldHaveTooManySums: 'I blocchi avrebbero troppe somme da scambiarsi.',
  theRegistersHoldAllPointsAnd:
    'I registri contengono tutti i punti, e i blocchi hanno poche somme da scambiare.',
  pointsStayInRegistersForMany:
    'I punti restano nei registri per molte iterazioni in un solo lancio, con una barriera di tutti i blocchi in ciascuna.',
  theRegistersDoNotHoldAll: 'I registri non contengono tutti i punti, o un blocco non tutti i centroidi.',
  theRegistersOfTheDeviceHold: 'I registri del dispositivo contengono tutti i punti.',
  pointsInAnOrderOfNeighbours:
    'Punti in ordine di vicinanza; gruppi di essi guardano solo i centroidi che possono essere i più vicini a uno dei loro.',
  chunksOfNeighboursHoldPointsOf: 'I gruppi di vicini tengono punti fino a 32 variabili.',
  chunksOfNeighboursNeedComputeCapability: 'I gruppi di vicini richiedono la compute capability 8.0.',
  neighboursAreFoundAmong2049To: 'I vicini si cercano tra 2049 e 2147483647 punti.',
  listsOfCentroidsNumberUpTo: 'Le liste di centroidi ne contano fino a 4096.',
  centroidsAndSumsDoNotFit: 'Centroidi e somme non entrano nella memoria condivisa di un blocco.',
  neighboursLieTogetherSoThatMost:
    'I vicini stanno insieme, quindi la maggior parte delle distanze non può contare.',
  distancesCannotMatterWhereNeighbours:
    'La maggior parte delle distanze non può contare dove i vicini stanno insieme, il che decide un sondaggio.',
  eachWarpHasTilesOfPoints:
    'Ogni warp ha blocchi di punti in memoria condivisa, copiati in anticipo; distanze, o punteggi che indicano un centroide; le somme cambiano con i punti che si spostano.',
  pointsInSharedMemoryAreCopied:
    'I punti in memoria condivisa si copiano e si valutano dalla compute capability 8.0 in poi.',
  pointsInSharedMemoryHaveUp:
    'I punti in memoria condivisa hanno fino a 32 variabili e 128 cluster, o 64 e 64.',
  clustersAreSoFewThatReading:
    'I cluster sono così pochi che il tempo maggiore va nella lettura dei punti, che qui avviene una volta.',
  rowsPassThroughSharedMemoryBy:
    'Le righe passano per la memoria condivisa a pezzi, i prodotti con tutti i centroidi sulle unità matriciali ne lasciano pochi in dubbio; le somme cambiano con i punti che si spostano.',
  rowsAreCopiedByPiecesAnd: 'Le righe si copiano a pezzi e si valutano dalla compute capability 8.0 in poi.',
  rowsByPiecesHaveUpTo:
    'Le righe a pezzi hanno fino a 128 cluster i cui centroidi entrano nella memoria condivisa di un blocco come due float16 ciascuno.',
  featuresAreManyAndClustersSo:
    'Le variabili sono molte e i cluster così pochi che il tempo maggiore va nella lettura dei punti, che qui avviene una volta.',
  scoresOnMatrixUnitsChooseA:
    'I punteggi sulle unità matriciali scelgono un gruppo di otto centroidi in memoria condivisa, dentro il gruppo decidono le distanze.',
  matrixScoresHaveUpTo32: 'I punteggi matriciali hanno fino a 32 variabili.',
  matrixScoresNeedMatrixUnitsOf:
    'I punteggi matriciali richiedono le unità matriciali della compute capability 8.0.',
  theCentroidsDoNotFitInto: 'I centroidi non entrano nella memoria condivisa di un blocco in float16.',
  theSharedMemoryOfABlock:
    'La memoria condivisa di un blocco contiene tutti i centroidi in float16, e ci sono unità matriciali.',
  productsInFloat16OnMatrixUnits:
    'I prodotti in float16 sulle unità matriciali lasciano pochi centroidi in dubbio, tra questi decidono le distanze; le somme cambiano con i punti che si spostano.',
  theFilterByMatrixUnitsIs: 'Il filtro con unità matriciali è per 9 variabili e più.',
  theFilterNeedsMatrixUnitsOf: 'Il filtro richiede le unità matriciali della compute capability 8.0.',
  theFilterPartsCentroidsIntoGroups:
    'Il filtro divide i centroidi in gruppi di 8: fino a 8 cluster non c’è nulla da dividere.',
  theFilterKnowsUpTo8388608: 'Il filtro distingue fino a 8388608 cluster.',
  featuresAndClustersAreSoMany:
    'Variabili e cluster sono così tanti che convengono i prodotti in float16 sulle unità matriciali, che ne lasciano pochi in dubbio.',
  tilesOfPointsByCentroidsIn: 'Blocchi di punti per centroidi nei registri, somme in memoria globale.',
  pointsPassThroughTheDeviceAnd: 'I punti passano per il dispositivo, e le variabili sono molte.',
  itTakesAnyShape: 'Accetta qualsiasi forma.',
  aFilterOnMatrixUnitsWith:
    'Un filtro su unità matriciali con un margine dimostrato lascia poche distanze; le somme seguono i punti che si spostano.',
  theDeviceHasNoMatrixUnits: 'Il dispositivo non ha unità matriciali che WebGPU possa usare.',
  itTakesAtMostFeatures: 'Accetta al massimo {0} variabili.',
  theDeviceHasMatrixUnitsAnd:
    'Il dispositivo ha unità matriciali, e un’iterazione ha {0} moltiplicazioni con somma.',
  pointsOfThePlaneInThe:
    'Punti del piano nell’ordine di una curva: le celle in cui un solo centroide è il più vicino danno le loro somme così come sono.',
  soManyPointsOfThePlane:
    'Tanti punti del piano per {0} cluster che la maggior parte delle celle ha un solo centroide più vicino.',
  pointsOfThePlaneInTheOrderOf:
    'Punti del piano nell’ordine di una curva: i loro riquadri elencano i centroidi che possono essere i più vicini.',
  boxesOfPointsInThePlane: 'I riquadri di punti nel piano hanno vicini pochi dei {0} centroidi.',
  pointsCellByCellDistancesTo:
    'Punti cella per cella: distanze ai soli centroidi che in una cella possono essere i più vicini.',
  thereIsNoMemoryForA: 'Non c’è memoria per una seconda copia dei punti.',
  pointsPayForAnOrderOf: '{0} punti valgono un ordine proprio: le loro celle hanno pochi centroidi vicini.',
  centroidsAndTheSumsOfA:
    'Centroidi e somme di un gruppo di lavoro nella sua memoria, punti nei registri; dove i cluster sono molti scelgono i punteggi.',
  pointsOfFitIntoRegisters: 'I punti di {0} entrano nei registri.',
  aPointALaneCentroidsIn:
    'Un punto per corsia, centroidi nella memoria del gruppo di lavoro; poi quattro variabili per corsia, sommate senza operazioni atomiche.',
  onASoftwareAdapterLanesCost:
    'Su un adattatore software le corsie affiancate costano più di quanto risparmino.',
  tilesOfPointsAndCentroidsIn:
    'Blocchi di punti e centroidi nella memoria del gruppo di lavoro; scelgono i punteggi, le somme cambiano con i punti che si spostano.',
  itIsForTwoFeatures: 'È per due variabili.',
  itNeedsBytesOfWorkgroupMemory:
    'Richiede {0} byte di memoria del gruppo di lavoro, e il dispositivo ne ha {1}.',
  itTakesAtLeastFeatures: 'Richiede almeno {0} variabili.',
  itTakesAtMostClusters: 'Accetta al massimo {0} cluster.',
  itWritesNoLabelsAndChanged: 'Non scrive etichette, e le etichette cambiate si contano a ogni iterazione.',
  oneThreadPerPointCentroidsIn: 'Un thread per punto, centroidi in memoria globale, somme atomiche.',
  assignmentOnTheDeviceLabelsBack:
    'Assegnazione sul dispositivo, etichette di ritorno, riduzione parallela sul processore.',
  assignmentOnTheDeviceWithoutShared:
    'Assegnazione sul dispositivo senza memoria condivisa, aggiornamento in un passaggio sul processore.',
  oneKernelAssignmentMembersMadeNeighbours:
    'Un solo kernel: assegnazione, membri resi vicini da contatori atomici, passi logaritmici; punti come colonne.',
  approximateEveryIterationLooksAtA: 'Approssimata: ogni iterazione guarda pochi punti estratti a caso.',
  assignmentAndUpdateParallelOverPoints: 'Assegnazione e aggiornamento in parallelo sui punti.',
  workersUsually512KeepPrivateSums:
    'I worker, di solito 512, tengono somme private su porzioni dei punti, poi una riduzione su di essi.',
  oneThreadTextbookLoopsOnePass: 'Un thread, cicli da manuale, un passaggio per le somme.',
  oneThreadPerPointCentroidsStaged: 'Un thread per punto, centroidi in memoria condivisa, somme atomiche.',
  pointIndicesSortedByLabelCoordinates:
    'Indici dei punti ordinati per etichetta, coordinate raccolte in quell’ordine, riduzione a segmenti.',
  assignmentAndUpdateParallelOverPointsOnOnetbb:
    'Assegnazione e aggiornamento in parallelo sui punti, con oneTBB.',
  theKernelOfGlobalAtomicsOn: 'Il kernel di global-atomics su contenitori Thrust, azzerati da thrust::fill.',
  perBlockTreeReductionForEach:
    'Riduzione ad albero per blocco per ogni cluster, poi una riduzione grossa sui blocchi.',
  theVariantNamesNoRegimeThat: 'La variante ‘{0}’ non indica un regime che etichetta i punti.',
} satisfies Translated<typeof en>
