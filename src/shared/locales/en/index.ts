import benchmarkTables from './benchmark-tables'
import common from './common'
import desktop from './desktop'
import menu from './menu'
import report from './report'
import sentences from './sentences'
import sentencesBenchmark from './sentences-benchmark'
import sentencesData from './sentences-data'
import sentencesEngine from './sentences-engine'
import sentencesPublished from './sentences-published'
import sentencesRegimes from './sentences-regimes'
import sessionDialogs from './sessionDialogs'
import settingWords from './setting-words'
import tableHeads from './table-heads'
import units from './units'

export default {
  'benchmark-tables': benchmarkTables,
  common,
  desktop,
  menu,
  report,
  sentences,
  'sentences-benchmark': sentencesBenchmark,
  'sentences-data': sentencesData,
  'sentences-engine': sentencesEngine,
  'sentences-published': sentencesPublished,
  'sentences-regimes': sentencesRegimes,
  sessionDialogs,
  'setting-words': settingWords,
  'table-heads': tableHeads,
  units,
}
