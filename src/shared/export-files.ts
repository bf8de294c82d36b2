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

/** What the progress of an export reports: a file, or the step pairs. */
export type ExportPart = ExportKind | 'steps'

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
