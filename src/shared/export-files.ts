/** What a result can be exported as. */
export const exportKinds = [
  'centroids',
  'labels',
  'labels-npy',
  'history',
  'history-centroids',
  'profile',
  'run',
  'model-python',
  'model-pmml',
  'model-onnx',
  'report',
  'report-markdown',
] as const
export type ExportKind = (typeof exportKinds)[number]

/** What the progress of an export reports: a file of a run, its step pairs, or the rows of another file. */
export type ExportPart = ExportKind | 'steps' | 'assignments'

/** The file name each export proposes (spec section 6). */
export const exportFileNames: Readonly<Record<ExportKind, string>> = {
  centroids: 'centroids.csv',
  labels: 'labels.csv',
  'labels-npy': 'labels.npy',
  history: 'history.csv',
  'history-centroids': 'history-centroids.csv',
  profile: 'profile.csv',
  run: 'run.json',
  'model-python': 'model.py',
  'model-pmml': 'model.pmml',
  'model-onnx': 'model.onnx',
  report: 'report.html',
  'report-markdown': 'report.md',
}

/** Rows of another file with their clusters. */
export const assignmentsFileName = 'assignments.csv'
