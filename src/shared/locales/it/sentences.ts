import type { Translated } from '../../locale/messages'
import type en from '../en/sentences'

export default {
  aSilhouetteComparesClustersAndChooseA:
    'Una silhouette confronta cluster, e {0}: scegli un k da 2 a uno meno delle righe.',
  allRowsOfTheSampleLieIn:
    'Tutte le {0} righe del campione stanno in un solo cluster: chiedi le silhouette esatte.',
  theColumnOfNamesNoClassesChoose:
    'La colonna ‘{0}’ di {1} non indica classi ({2}): scegli una colonna di testi ripetuti, o di numeri interi.',
  theSilhouettesCouldNotBeComputedTo:
    'Il calcolo delle silhouette non è arrivato alla fine: chiedilo di nuovo, o scegli il motore cpu.',
  theColumnOfHasNoClassesTo:
    'La colonna {0} di {1} non ha classi da contare{2}: scegli una colonna di testi ripetuti, o dalle il tipo categorical.',
  aTableOfClustersByTheTexts:
    'Una tabella di {0} cluster per i {1} testi della colonna ‘{2}’ è troppo grande: scegli una colonna con meno testi, o un k minore.',
  theVariantOfTheEngineWorksIn:
    'La variante {0} del motore {1} lavora solo in float32: scegli float32, o {2} del motore cpu.',
  theCpuEngineHasTooLittleMemory:
    'Il motore CPU ha troppo poca memoria per questi punti: scegli meno righe o variabili, o chiudi altri programmi.',
  theCpuEngineIsNotInstalled: 'Il motore CPU non è installato: scegli webgpu, o compilalo con npm run setup.',
  nvidiaSupportIsNotInstalled: 'Il supporto NVIDIA non è installato: scegli cpu o webgpu.',
  mpiIsNotInstalled:
    'La divisione delle righe fra processi (MPI) non è installata: avvia senza mpirun, o installa libopenmpi-dev ed esegui npm run setup.',
  thereIsNoWebgpuDeviceHereChoose: 'Qui non c’è un dispositivo WebGPU ‘{0}’; scegline uno tra {1}.',
  webgpuFoundNoHardwareAdapterInstallA:
    'WebGPU non ha trovato un adattatore hardware; installa un driver Vulkan per la scheda grafica.',
  thereIsNoWebgpuKernelForThe: 'Non c’è un kernel WebGPU per la variante ‘{0}’; scegline una tra {1}.',
  theSessionWouldNeedMoreThanThe:
    'La sessione richiederebbe più dei {0} di memoria del dispositivo utilizzabili: alza quel limite, o scegli meno righe o variabili, un k minore, o il motore cpu.',
  theWebgpuDeviceHasNotEnoughMemory:
    'Il dispositivo WebGPU non ha memoria sufficiente per {0}; scegli meno righe o variabili, un k minore, o il motore cpu.',
  theWebgpuDeviceFailedWhileRunAgain:
    'Il dispositivo WebGPU ha fallito durante: {0}; esegui di nuovo, o scegli il motore cpu.',
  theCudaDeviceHasTooLittleMemory:
    'Il dispositivo CUDA ha troppo poca memoria per questi punti: scegli meno righe o variabili, un altro dispositivo, o il motore cpu.',
  chooseCpuOrWebgpu: '{0}: scegli cpu o webgpu.',
  stoppedWorkingOnThisDataPleaseTry:
    '{0} ha smesso di funzionare su questi dati ({1}); prova un altro motore e segnalalo.',
  theVariantWouldNeedOfForPoints:
    'La variante ‘{0}’ richiederebbe {1} di {2} per {3} punti e k = {4}, ma sono liberi {5}: scegli un’altra variante, un k minore o meno righe.',
  alreadyExistsAllowItToBeReplaced: '{0} esiste già: consenti di sostituirlo o scegli un altro nome.',
  theFolderForDoesNotExistCreate: 'La cartella {0} per {1} non esiste: creala o scegline un’altra.',
  isNotAFolderSoCannotBe: '{0} non è una cartella, quindi {1} non si può scrivere lì: scegli una cartella.',
  isAFolderGiveTheFileTo: '{0} è una cartella: dai un altro nome al file da scrivere.',
  cannotBeWrittenPermissionIsMissingChoose:
    '{0} non si può scrivere, mancano i permessi: scegli un’altra cartella o cambiane i permessi.',
  couldNotBeWrittenChooseAnotherFolder:
    '{0} non si è potuto scrivere ({1}): scegli un’altra cartella o un altro nome.',
  couldNotBeWrittenBecause: '{0} non si è potuto scrivere, perché {1}: {2}.',
  anotherRunIsWritingIntoWaitFor:
    'Un’altra esecuzione scrive in {0}: attendine la fine, o scegli un’altra cartella.',
  thisRunKeptNoRunAgainWith:
    'Questa esecuzione non ha tenuto {0}: esegui di nuovo con la cronologia attiva (--history), poi esporta.',
  isTheDataFileItselfGiveThe:
    '{0} è il file dei dati stesso: dai un altro nome all’esportazione, così i tuoi dati restano come sono.',
  isNotAFolderChooseAFolder: '{0} non è una cartella: scegli una cartella.',
  isNoLongerLoadedAndThisComparison:
    '{0} non è più caricato e questo confronto non dice quale file fosse: avvia un nuovo confronto.',
  wasLoadedWithOtherSettingsThanWhen:
    '{0} è stato caricato con impostazioni diverse da quelle di inizio confronto: caricalo con quelle, o avvia un nuovo confronto.',
  hasChangedSinceThisComparisonBeganOpen:
    '{0} è cambiato dall’inizio di questo confronto: aprilo com’era, o avviane uno nuovo.',
  isNotLoadedOpenThisDataFile: '{0} non è caricato: apri questo file di dati, poi riprendi il confronto.',
  isNotKnownHereLeaveItOut: '{0} qui non è noto: escludilo.',
  cannotAnEmptyClusterChooseKeepFor:
    '{0} non può applicare {1} a un cluster vuoto: scegli keep per i cluster vuoti, o escludilo.',
  doesNotRunHereIsTheBaseline: '{0} qui non funziona: il riferimento è {1} al suo posto.',
  aLaterRunFromTheSameStart: 'Un’esecuzione successiva dallo stesso inizio ha dato un risultato diverso.',
  canonicalContendersGiveTheSameBytes:
    'I concorrenti canonici danno gli stessi byte, ma il risultato di {0} è {1}, quello di {2}.',
  itsResultWasNotChecked: 'Il suo risultato non è stato verificato.',
  thisComparisonIsNoLongerKeptChoose:
    'Questo confronto non è più conservato: scegline un altro, o misuralo di nuovo.',
  anotherComparisonIsBeingMeasuredWaitFor:
    'Si sta misurando un altro confronto: attendine la fine, o annullalo prima.',
  theInitialisationFileNeedsACentroidFile:
    'L’inizializzazione ‘file’ richiede un file di centroidi: sceglilo, o indicalo con --centroids.',
  theCentroidFileHoldsCentroidsButK:
    'Il file di centroidi {0} contiene {1} centroidi ma k è {2}: imposta k a {3} o scegli un altro file.',
  centroidOfLiesTooFarFromThe:
    'Il centroide {0} di {1} è troppo lontano dai dati nella colonna {2}: controlla che il file appartenga a questi dati.',
  theFileIsDamagedOrCutOff: 'Il file {0} {1} è danneggiato o troncato: scaricalo o comprimilo di nuovo.',
  theFile: 'Il file {0} {1}: {2}: {3}.',
  thereIsNoDeviceHereChooseOne: 'Qui non c’è un dispositivo ‘{0}’: scegline uno tra {1}.',
  thereIsNoVariantHere: 'Qui non c’è una variante ‘{0}’: {1}.',
  pointsOfFeaturesWouldNeedOfMemory:
    '{0} punti di {1} variabili richiederebbero {2} di memoria, ma sono liberi {3}: scegli meno punti o variabili.',
  wouldTakeAboutButTheDiskOf:
    '{0} occuperebbe circa {1}, ma il disco di {2} ha liberi {3}: scegli meno punti o un altro disco.',
  holdsNoTableChooseAnotherFolder: '{0} non contiene tabelle ({1}): scegli un’altra cartella.',
  rowHasBytesThatAreNotValid:
    'La riga {0} ha byte che non sono UTF-8 valido: l’intero file è stato letto come Latin-1 (windows-1252).',
  lineEndsAreMixedEachOfThem: 'I fine riga sono misti: {0}; ognuno di essi chiude una riga.',
  row1IsSepWhichNamesThe: 'La riga 1 è ‘sep={0}’, che indica il delimitatore: non è un dato.',
  rowWasTakenForAboveTheTable: 'La riga {0} è stata presa per {1} sopra la tabella: non è un dato.',
  rowsToWereTakenForAboveThe:
    'Le righe da {0} a {1} sono state prese per {2} sopra la tabella: non sono dati.',
  allCellsAreMissing: 'Tutte le celle mancano.',
  cellsAreDatesAs: '{0} celle sono date, {1}, come {2}{3}.',
  everyNumberIs: 'Ogni numero è {0}.',
  wholeNumbersThatCountUpFrom: 'Numeri interi che contano da {0}.',
  uniqueWholeNumbersInAColumnNamed: 'Numeri interi unici in una colonna chiamata come un identificatore.',
  everyCellHasTheSameText: 'Ogni cella ha lo stesso testo.',
  uniqueTextsInAColumnNamedLike: 'Testi unici in una colonna chiamata come un identificatore.',
  differentTextsInCells: '{0} testi diversi in {1} celle.',
  moreThanDifferentTexts: 'Più di {0} testi diversi.',
  theFileHasAHeaderRowBut: 'Il file {0} ha un’intestazione ma nessuna riga di dati: scegli un file con dati.',
  noColumnOfHoldsNumbersChooseA:
    'Nessuna colonna di {0} contiene numeri: scegli un file con almeno una colonna numerica, o imposta un altro delimitatore o segno decimale.',
  line1OfSaysPointsButRows:
    'La riga 1 di {0} dice {1} punti ma seguono {2} righe: correggi la riga 1 o le righe.',
  hasChangedSinceItWasLoaded: '{0} è cambiato dopo il caricamento: {1}.',
  noLongerExists: '{0} non esiste più, {1}.',
  theFileIsEmptyChooseAFile: 'Il file {0} è vuoto: scegli un file con una tabella.',
  theFile2: 'Il file {0}: {1}.',
  theFileChangedWhileItWasRead:
    'Il file {0} è cambiato durante la lettura: attendi che nulla vi scriva, poi riaprilo.',
  theFileIsNotATextTable: 'Il file {0} non è una tabella di testo, sembra {1}: {2} e apri quello.',
  theFileHoldsNulCharactersNearRow:
    'Il file {0} contiene caratteri NUL presso la riga {1}, quindi non è una tabella di testo: esporta la tabella come CSV e apri quella.',
  rowHasCellsWhereBelongItWas: 'La riga {0} ha {1} celle invece di {2}: è stata esclusa.',
  rowColumnItCountsAsMissing: 'Riga {0}, colonna {1}: ‘{2}’ {3}; conta come mancante.',
  theFileBeginsWithAByteOrder: 'Il file inizia con un byte order mark.',
  everyByteSequenceReadIsValidUtf: 'Ogni sequenza di byte letta è UTF-8 valido.',
  someBytesAreNotValidUtf8: 'Alcuni byte non sono UTF-8 valido; letto come Latin-1 (windows-1252).',
  theCommaSeparatesTheCells: 'La virgola separa le celle.',
  noSampledCellHasADecimalMark: 'Nessuna cella campione ha un segno decimale.',
  sampledCellsHaveADecimalPoint: '{0} celle campione hanno il punto decimale.',
  sampledCellsHaveADecimalComma: '{0} celle campione hanno la virgola decimale.',
  theFirstRowHoldsNumbers: 'La prima riga contiene numeri.',
  theFirstRowHoldsWordsAboveColumns: 'La prima riga contiene parole sopra colonne di numeri.',
  ofTheSampledRowsHaveCellsWith: '{0} delle righe campione hanno {1} celle con {2}.',
  csvDefault: 'Predefinito per i CSV.',
  setByHand: 'Impostato a mano.',
  theFirstLinesAreNotTheCounts: 'Le prime righe non sono i conteggi del formato con intestazione N / n / k.',
  theCentroidFileHoldsNoCentroidsGive:
    'Il file di centroidi {0} non contiene centroidi: dagli una riga per cluster, o scegli un altro file.',
  theCentroidFileHasNoColumnIt:
    'Il file di centroidi {0} non ha la colonna {1}: serve una colonna per variabile.',
  theScanHasNoFinishedClusteringOf:
    'L’esame non ha un clustering finito con k = {0}: attendilo, o riprendi l’esame.',
  theFolderHoldsNoStepPairStep:
    'La cartella {0} non contiene coppie di passi (step-1-points.csv con step-1-centroids.csv, o due tabelle con un numero in comune): scegli una cartella in cui sono stati esportati passi.',
  theFolderHoldsButNotPutBoth:
    'La cartella {0} contiene {1} ma non {2}: mettici entrambi i file del passo, o nessuno.',
  thisTableIsNoLongerOpenShow: 'Questa tabella non è più aperta: mostrala di nuovo.',
  aClusteringIsRunningAndWouldSpoil:
    'È in corso un clustering che falserebbe i tempi: attendine la fine, o annullalo prima.',
  aComparisonIsBeingMeasuredAndA:
    'Si sta misurando un confronto, e un clustering accanto ne falserebbe i tempi: sospendilo o annullalo prima.',
  thisRunIsNoLongerKnownRun: 'Questa esecuzione non è più nota: eseguila di nuovo.',
  thisRunCannotBeResumedBecauseIts:
    'Questa esecuzione non può riprendere, perché il suo punto di ripristino non è più conservato: ricominciala.',
  theEngineProcessSentAnUnreadableAnswer:
    'Il processo dei motori ha inviato una risposta illeggibile e si riavvia: ripeti l’ultimo passo.',
  thisDataFileIsNoLongerLoaded: 'Questo file di dati non è più caricato; riaprilo.',
  aScanOfThisFileIsUnder: 'È in corso un esame di questo file: attendilo, o annullalo prima.',
  columnFloat32MakesValuesTheSameThat:
    'Colonna {0}: float32 rende uguali valori che differiscono di meno di {1} lontano dal centro della colonna, come {2} e {3}: per distinguerli, raggruppa le righe lontane in un file a parte, o sottrai loro uno scarto.',
  theHistoryKeepsTheFirstIterationsMore:
    'La cronologia tiene le prime {0} iterazioni; altre {1} sono state omesse.',
  theTwoResultsWereMadeFromSo:
    'I due risultati provengono da {0}, quindi le loro righe non sono confrontabili: scegli due risultati sullo stesso file.',
  hasNoUsableRowForTheChosen:
    '{0} non ha righe utilizzabili per le variabili scelte: scegli altre variabili o un’altra regola per i valori mancanti.',
  theValuesOfAreTooForSquared:
    'I valori di {0} sono troppo {1} per distanze al quadrato (circa 1e{2}): scegli la scalatura ‘standardise’.',
  theComputerSleptDuringThisRunThe:
    'Il computer è andato in sospensione durante questa esecuzione: la pausa non è nei suoi tempi, ma non confrontarli con altri.',
  noCentroidMovedFromIterationOfOn:
    'Dall’iterazione {0} di {1} in poi nessun centroide si è spostato: le successive la ripetono, e alcune varianti lo notano e le risparmiano.',
  noPointChooseASmallerKOr: '{0}: nessun punto; scegli un k minore o un’altra regola per i cluster vuoti.',
  theEngineLostItsDeviceInThe:
    'Il motore {0} ha perso il dispositivo {1} a metà dell’esecuzione: esegui di nuovo, o scegli il motore {2}.',
  thereForKSoThatSomeClusters:
    'Per k = {1} ci sono pochi valori ({0}), quindi alcuni cluster restano vuoti: scegli un k di al massimo {2}.',
  theInitialisationDoesNotDependOnThe:
    'L’inizializzazione ‘{0}’ non dipende dal seme, quindi i {1} riavvii sono tutti uguali.',
  theFilterKeepsNoRowOfChange: 'Il filtro non tiene alcuna riga di {0}: cambiane le condizioni, o toglilo.',
  columnIsLeftOutBecauseItsCells:
    'La colonna {0} è esclusa, perché le sue celle non sono numeri semplici, come ‘{1}’ nella riga {2}: scrivili come 1234.5 e riapri il file.',
  notUsedAsFeatures: 'Non usate come variabili: {0}{1}.',
  hasNoColumnChooseAmong: '{0} non ha la colonna ‘{1}’: scegli tra {2}.',
  theColumnOfHoldsNoNumbersChoose: 'La colonna ‘{0}’ di {1} non contiene numeri: scegli tra {2}{3}.',
  rowColumnOfHasNoFillThe:
    'La riga {0}, colonna ‘{1}’ di {2} non ha {3}: riempi la cella, o escludi tali righe (--missing drop), o riempile con media o mediana (--missing mean, --missing median).',
  everyRowOfHasAMissingValue:
    'Ogni riga di {0} ha un valore mancante in una variabile scelta: scegli altre variabili, o riempi le celle con media o mediana (--missing mean, --missing median).',
  theScalingUnitLengthDividesWholeRows:
    'La scalatura unit-length divide intere righe per la loro lunghezza, il che non ha senso per le variabili one-hot della colonna ‘{0}’: scegli un’altra scalatura, o escludi la colonna.',
  theWorkCouldNotGoOnBecause: 'Il lavoro{0} non è potuto proseguire, perché {1}: {2}.',
  somethingWentWrongInsideCentroidLabYour:
    'Qualcosa è andato storto in Centroid Lab: {0}. I tuoi dati e risultati sono conservati; copia i dettagli e segnalali.',
  expectedForButReceived: 'Atteso {0} per {1}, ma ricevuto {2}.',
  theFilterCannotBeReadAtCharacter: 'Il filtro non si legge al carattere {0}: {1}.',
  noOtherRegimePaysForThisShape: 'Nessun altro regime conviene per questa forma.',
  itWasAskedForByName: 'È stato richiesto per nome.',
  itHasOneWayOnly: 'Ha un solo modo.',
  theFastestExactKMeansHereAssignment:
    'Il k-means esatto più veloce qui: assegnazione e somme in una passata sui punti, al limite dell’hardware; si omettono le distanze che non possono contare.',
  ofTheFileWasLeftOutIn: '{0} del file esclusa: {1}, riga {2}.',
  ofTheFileWereLeftOutThe: '{0} del file escluse: {1}, la prima è la riga {2}.',
  tooManyOrTooFewCells: 'troppe o troppo poche celle',
  missingValuesInTheSelectedColumns: 'valori mancanti nelle colonne scelte',
  pickedByHand: 'scelte a mano',
  notAmongThePickedRows: 'non tra le righe scelte',
  theFilterDoesNotKeepThem: 'il filtro {0} non le tiene',
} satisfies Translated<typeof en>
