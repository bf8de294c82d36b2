import type { Translated } from '../../locale/messages'
import type en from '../en/common'

export default {
  lower: 'niżej',
  higher: 'wyżej',
  sdApart: '{0} odch. st. {1}',
  noOverlap: '{0}, bez nakładania się',
  theNumberOfPoints: 'Liczba punktów',
  of: ' z {0}',
  theNumberOfFeatures: 'Liczba cech{0}',
  theWidth: 'Szerokość',
  theHeight: 'Wysokość',
  theSpread: 'Rozrzut',
  aNumberFrom0To: 'liczba od 0 do {0}',
  theImbalance: 'Nierówność',
  aNumberFrom0ToBelow: 'liczba od 0 do poniżej 1',
  theShareOfNoise: 'Udział szumu',
  aNumberFrom0To1: 'liczba od 0 do 1',
  theShareOfDuplicates: 'Udział duplikatów',
  theSeed: 'Ziarno',
  theNumberOfPoints2: ', liczba punktów',
  theNumberOfClusters: 'Liczba klastrów',
  theBlobCentresOfFeaturesAre:
    'Środków skupisk ({0}) o {1} cechach jest za dużo: klastry razy cechy najwyżej {2}.',
  aWholeNumberFromTo: 'liczba całkowita od {0} do {1}{2}',
  aNumberFromTo: 'liczba od {0} do {1}',
  butItIs: ', a jest {0}',
  mustBe: '{0}: wymagana {1}{2}.',
  withWhichLooksAtAFew: 'z {0}, który bierze kilka punktów w iteracji,',
  keepOrDrop: 'zachowaj lub usuń {0}',
  approximateAnIterationLooksAtA:
    'Przybliżony: iteracja bierze tylko kilka punktów, więc jego czas nie liczy się wobec dokładnego.',
  secondsSince19700101Utc: 'sekundy od 1970-01-01 UTC',
  daysSince19700101: 'dni od 1970-01-01',
  dayFirst: 'najpierw dzień',
  yearFirst: 'najpierw rok',
  monthFirst: 'najpierw miesiąc',
} satisfies Translated<typeof en>
