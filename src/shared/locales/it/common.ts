import type { Translated } from '../../locale/messages'
import type en from '../en/common'

export default {
  lower: 'in meno',
  higher: 'in più',
  sdApart: '{0} ds {1}',
  noOverlap: '{0}, senza sovrapposizione',
  theNumberOfPoints: 'Il numero di punti',
  of: ' di {0}',
  theNumberOfFeatures: 'Il numero di variabili{0}',
  theWidth: 'La larghezza',
  theHeight: 'L’altezza',
  theSpread: 'La dispersione',
  aNumberFrom0To: 'un numero da 0 a {0}',
  theImbalance: 'Lo squilibrio',
  aNumberFrom0ToBelow: 'un numero da 0 a meno di 1',
  theShareOfNoise: 'La quota di rumore',
  aNumberFrom0To1: 'un numero da 0 a 1',
  theShareOfDuplicates: 'La quota di duplicati',
  theSeed: 'Il seme',
  theNumberOfPoints2: ', il numero di punti',
  theNumberOfClusters: 'Il numero di cluster',
  theBlobCentresOfFeaturesAre:
    'I {0} centri delle nuvole con {1} variabili sono troppi: cluster per variabili al massimo {2}.',
  aWholeNumberFromTo: 'un numero intero da {0} a {1}{2}',
  aNumberFromTo: 'un numero da {0} a {1}',
  butItIs: ', ma è {0}',
  mustBe: '{0} deve essere {1}{2}.',
  withWhichLooksAtAFew: 'con {0}, che guarda pochi punti per iterazione,',
  keepOrDrop: 'mantieni o elimina {0}',
  approximateAnIterationLooksAtA:
    'Approssimato: un’iterazione guarda solo pochi punti, quindi il suo tempo non vale contro uno esatto.',
  secondsSince19700101Utc: 'secondi dal 1970-01-01 UTC',
  daysSince19700101: 'giorni dal 1970-01-01',
  dayFirst: 'prima il giorno',
  yearFirst: 'prima l’anno',
  monthFirst: 'prima il mese',
} satisfies Translated<typeof en>
