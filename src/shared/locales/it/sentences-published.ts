import type { Translated } from '../../locale/messages'
import type en from '../en/sentences-published'

export default {
  goldsboroughTable:
    'Punti bidimensionali in tanti gruppi quanti i cluster, punti casuali come inizio, 300 iterazioni in ogni sistema a cui si può imporre un numero.',
  goldsboroughObjective:
    'La forma data da un rapporto successivo, da centroidi casuali finché la funzione obiettivo scende di meno di una soglia.',
  whetherItsCentroids:
    'Non è detto se i suoi centroidi siano punti o coordinate: qui sono k punti diversi, come nella tabella, e --init random-box estrae coordinate.',
  theThresholdAndTheLimit: 'La soglia e il limite di 300 sono nostri; non se ne conoscono i tempi.',
  meanOf5Runs:
    'Media di 5 esecuzioni di T = 300 iterazioni, k = 5; per scikit-learn 300 è un limite superiore, per scipy il numero di riavvii (qui scipy fa 300 iterazioni da un solo inizio).',
  thePrintedCuda3:
    'Il "CUDA 3" stampato calcola centroidi sbagliati (la sua riduzione grossolana non somma mai i conteggi e divide somme non ridotte), quindi i suoi 0,0171 s non sono un tempo di k-means.',
  inThePrintedEigen:
    'Nell’"Eigen" stampato i conteggi partono da 1 e un centroide iniziale è un numero invece di una riga, e "NumPy" non conta una coordinata nulla.',
  inCuda2AndCuda3:
    'In CUDA 2 e CUDA 3 un thread termina prima di una barriera; solo CUDA 3 riduce in un blocco, e il suo ultimo blocco riduce valori vecchi dove n non è multiplo di 1024.',
  theStudyShuffles:
    'Lo studio mescola x e y separatamente ed estrae con reinserimento, quindi i suoi centroidi iniziali non sono punti dei dati e possono coincidere; qui l’inizio sono k righe diverse.',
  itsDataAreBlobs:
    'I suoi dati sono gruppi di make_blobs con tanti centri quanti i cluster; i gruppi qui hanno la stessa dispersione (deviazione standard 1 in una regione di 20 x 20), ma i loro centri sono tenuti distanti tra loro e dal bordo, mentre make_blobs li estrae uniformemente.',
  titanXPascal: 'Titan X Pascal (il rapporto dice GeForce GTX)',
  diDioTable:
    'Punti casuali di un piano, i primi k come inizio, finché ogni coordinata di ogni centroide si sposta al massimo della tolleranza.',
  wholeRunsToConvergence:
    'Esecuzioni intere fino alla convergenza dalle prime k righe; i suoi dati qui non sono noti, né il numero di iterazioni dietro un tempo.',
  cAcceptsAShift:
    'C accetta uno spostamento uguale alla tolleranza, CUDA e OpenMP ne chiedono uno minore; la tolleranza qui, 0,0001, è nostra.',
  thePrintedC:
    'Il C stampato non si ferma mai quando un cluster è vuoto; CUDA e OpenMP mandano i cluster vuoti all’origine; OpenMP tronca le coordinate a numeri interi mentre somma, quindi i suoi tempi sono di un’altra aritmetica.',
  dhanasekaranRubinTable:
    'I sistemi sulla CPU contro quelli sul dispositivo: cinque dimensioni, 50 iterazioni imposte.',
  totalWallTime:
    'Tempo reale totale di 50 iterazioni imposte con i trasferimenti, senza la creazione dei dati, su dati casuali uniformi.',
  thePrintedListing:
    'Al listato stampato mancano le barriere tra gli usi del suo array di indici; richiede che n sia multiplo di 256 e che l’array contenga il maggiore tra k e il gruppo.',
  forK100:
    'Per k = 100 il rapporto tra sola GPU e ibrido è in media 1,5 nel sommario e 1,7 nella tabella della figura 7.',
  thePointsOfTheFigure: 'I punti della figura non sono stampati come numeri.',
  figure5:
    'Tempo rispetto alla dimensione dei dati, da 1 a 32 milioni di parole, una linea per ogni d = {0} (scelta nostra), un riquadro per k = 100 e uno per k = 400.',
  figure7:
    'Sola GPU (irregular-reduction) rispetto all’ibrido (hybrid-parallel), in ordine delle parole trasferite tra host e dispositivo in un’iterazione: n + k d per l’ibrido, quindi i casi stanno nell’ordine di n (dimensioni scelte da noi).',
  figure8:
    'Sola GPU (irregular-reduction) e ibrido (hybrid-parallel), entrambi rispetto a MineBench (openmp; dimensioni scelte da noi).',
  sweepOfPoints:
    'Una serie sul numero di punti, d = 4, k = {0}, 20 iterazioni, misurate per fasi, per iterazioni e nel complesso.',
  sweepOfFeatures:
    'Una serie sul numero di variabili a 100000 punti, k = {0}, 20 iterazioni, misurate per fasi, per iterazioni e nel complesso.',
  smallData:
    'Dati piccoli su cui la correttezza si vede facilmente, finché nessuna etichetta cambia; mantengono la dimensione a ogni scala.',
  sizesAreOurs: 'Dimensioni, k, inizio e arresto sono scelti da noi; del progetto non si conoscono misure.',
  fourModulesPoints: 'Quattro moduli: numero di punti',
  fourModulesFeatures: 'Quattro moduli: numero di variabili',
  fourModulesSmall: 'Quattro moduli: file piccoli',
  diDioName: 'Di Dio: tabella',
  goldsboroughName: 'Goldsborough: tabella',
  dhanasekaranRubinName: 'Dhanasekaran & Rubin: tabella',
  nameFigure: 'Dhanasekaran & Rubin: figura {0}',
  nameObjective: 'Goldsborough: obiettivo',
} satisfies Translated<typeof en>
