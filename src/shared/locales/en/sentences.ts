/** Sentences that the engine makes in English, as patterns: see `localized-sentence.ts`. */
export default {
  aSilhouetteComparesClustersAndChooseA:
    'A silhouette compares clusters, and {0}: choose a k from 2 to one less than the rows.',
  allRowsOfTheSampleLieIn: 'All {0} rows of the sample lie in one cluster: ask for the exact silhouettes.',
  theColumnOfNamesNoClassesChoose:
    "The column '{0}' of {1} names no classes ({2}): choose a column of texts that repeat, or of whole numbers.",
  theSilhouettesCouldNotBeComputedTo:
    'The silhouettes could not be computed to their end: ask for them again, or choose engine cpu.',
  theColumnOfHasNoClassesTo:
    'The column {0} of {1} has no classes to count{2}: choose a column of texts that repeat, or give it the type categorical.',
  aTableOfClustersByTheTexts:
    "A table of {0} clusters by the {1} texts of column '{2}' is too large: choose a column of fewer texts, or a smaller k.",
  theVariantOfTheEngineWorksIn:
    'The variant {0} of the {1} engine works in float32 only: choose float32, or {2} of the cpu engine.',
  theCpuEngineHasTooLittleMemory:
    'The CPU engine has too little memory for these points: choose fewer rows or features, or close other programs.',
  theCpuEngineIsNotInstalled:
    'The CPU engine is not installed: choose webgpu, or build it with npm run setup.',
  nvidiaSupportIsNotInstalled: 'NVIDIA support is not installed: choose cpu or webgpu.',
  mpiIsNotInstalled:
    'Sharing rows among processes (MPI) is not installed: start without mpirun, or install libopenmpi-dev and run npm run setup.',
  thereIsNoWebgpuDeviceHereChoose: "There is no WebGPU device '{0}' here; choose one of {1}.",
  webgpuFoundNoHardwareAdapterInstallA:
    'WebGPU found no hardware adapter; install a Vulkan driver for the graphics card.',
  thereIsNoWebgpuKernelForThe: "There is no WebGPU kernel for the variant '{0}'; choose one of {1}.",
  theSessionWouldNeedMoreThanThe:
    'The session would need more than the {0} of device memory that may be taken: raise that limit, or choose fewer rows or features, a smaller k, or engine cpu.',
  theWebgpuDeviceHasNotEnoughMemory:
    'The WebGPU device has not enough memory for {0}; choose fewer rows or features, a smaller k, or engine cpu.',
  theWebgpuDeviceFailedWhileRunAgain: 'The WebGPU device failed while {0}; run again, or choose engine cpu.',
  theCudaDeviceHasTooLittleMemory:
    'The CUDA device has too little memory for these points: choose fewer rows or features, another device, or engine cpu.',
  chooseCpuOrWebgpu: '{0}: choose cpu or webgpu.',
  stoppedWorkingOnThisDataPleaseTry:
    '{0} stopped working on this data ({1}); please try another engine and report it.',
  theVariantWouldNeedOfForPoints:
    "The variant '{0}' would need {1} of {2} for {3} points and k = {4}, but {5} are free: choose another variant, a smaller k or fewer rows.",
  alreadyExistsAllowItToBeReplaced: '{0} already exists: allow it to be replaced or choose another name.',
  theFolderForDoesNotExistCreate: 'The folder {0} for {1} does not exist: create it or choose another one.',
  isNotAFolderSoCannotBe: '{0} is not a folder, so {1} cannot be written there: choose a folder.',
  isAFolderGiveTheFileTo: '{0} is a folder: give the file to be written another name.',
  cannotBeWrittenPermissionIsMissingChoose:
    '{0} cannot be written, permission is missing: choose another folder or change its permissions.',
  couldNotBeWrittenChooseAnotherFolder: '{0} could not be written ({1}): choose another folder or file name.',
  couldNotBeWrittenBecause: '{0} could not be written, because {1}: {2}.',
  anotherRunIsWritingIntoWaitFor:
    'Another run is writing into {0}: wait for its end, or choose another folder.',
  thisRunKeptNoRunAgainWith:
    'This run kept no {0}: run again with the history switched on (--history), then export.',
  isTheDataFileItselfGiveThe:
    '{0} is the data file itself: give the export another name, so that your data stay as they are.',
  isNotAFolderChooseAFolder: '{0} is not a folder: choose a folder.',
  isNoLongerLoadedAndThisComparison:
    '{0} is no longer loaded and this comparison does not say which file it was: start a new comparison.',
  wasLoadedWithOtherSettingsThanWhen:
    '{0} was loaded with other settings than when this comparison began: load it with those, or start a new comparison.',
  hasChangedSinceThisComparisonBeganOpen:
    '{0} has changed since this comparison began: open it as it was, or start a new comparison.',
  isNotLoadedOpenThisDataFile: '{0} is not loaded: open this data file, then resume the comparison.',
  isNotKnownHereLeaveItOut: '{0} is not known here: leave it out.',
  cannotAnEmptyClusterChooseKeepFor:
    '{0} cannot {1} an empty cluster: choose keep for empty clusters, or leave it out.',
  doesNotRunHereIsTheBaseline: '{0} does not run here: {1} is the baseline in its place.',
  aLaterRunFromTheSameStart: 'A later run from the same start gave a different result.',
  canonicalContendersGiveTheSameBytes:
    'Canonical contenders give the same bytes, but the result of {0} is {1}, that of {2}.',
  itsResultWasNotChecked: 'Its result was not checked.',
  thisComparisonIsNoLongerKeptChoose:
    'This comparison is no longer kept: choose another, or measure it again.',
  anotherComparisonIsBeingMeasuredWaitFor:
    'Another comparison is being measured: wait for its end, or cancel it first.',
  theInitialisationFileNeedsACentroidFile:
    "The initialisation 'file' needs a centroid file: choose one, or name it with --centroids.",
  theCentroidFileHoldsCentroidsButK:
    'The centroid file {0} holds {1} centroids but k is {2}: set k to {3} or choose another file.',
  centroidOfLiesTooFarFromThe:
    'Centroid {0} of {1} lies too far from the data in column {2}: check that the file belongs to this dataset.',
  theFileIsDamagedOrCutOff: 'The {0} file {1} is damaged or cut off: fetch or compress it again.',
  theFile: 'The {0} file {1} {2}: {3}.',
  thereIsNoDeviceHereChooseOne: "There is no device '{0}' here: choose one of {1}.",
  thereIsNoVariantHere: "There is no variant '{0}' here: {1}.",
  pointsOfFeaturesWouldNeedOfMemory:
    '{0} points of {1} features would need {2} of memory, but {3} are free: choose fewer points or features.',
  wouldTakeAboutButTheDiskOf:
    '{0} would take about {1}, but the disk of {2} has {3} free: choose fewer points or another disk.',
  holdsNoTableChooseAnotherFolder: '{0} holds no table ({1}): choose another folder.',
  rowHasBytesThatAreNotValid:
    'Row {0} has bytes that are not valid UTF-8: the whole file was read as Latin-1 (windows-1252).',
  lineEndsAreMixedEachOfThem: 'Line ends are mixed: {0}; each of them ends a row.',
  row1IsSepWhichNamesThe: "Row 1 is 'sep={0}', which names the delimiter: it is no data.",
  rowWasTakenForAboveTheTable: 'Row {0} was taken for {1} above the table: it is no data.',
  rowsToWereTakenForAboveThe: 'Rows {0} to {1} were taken for {2} above the table: they are no data.',
  allCellsAreMissing: 'All cells are missing.',
  cellsAreDatesAs: '{0} cells are dates, {1}, as {2}{3}.',
  everyNumberIs: 'Every number is {0}.',
  wholeNumbersThatCountUpFrom: 'Whole numbers that count up from {0}.',
  uniqueWholeNumbersInAColumnNamed: 'Unique whole numbers in a column named like an identifier.',
  everyCellHasTheSameText: 'Every cell has the same text.',
  uniqueTextsInAColumnNamedLike: 'Unique texts in a column named like an identifier.',
  differentTextsInCells: '{0} different texts in {1} cells.',
  moreThanDifferentTexts: 'More than {0} different texts.',
  theFileHasAHeaderRowBut: 'The file {0} has a header row but no rows of data: choose a file with data.',
  noColumnOfHoldsNumbersChooseA:
    'No column of {0} holds numbers: choose a file with at least one numeric column, or set another delimiter or decimal mark.',
  line1OfSaysPointsButRows: 'Line 1 of {0} says {1} points but {2} rows follow: correct line 1 or the rows.',
  hasChangedSinceItWasLoaded: '{0} has changed since it was loaded: {1}.',
  noLongerExists: '{0} no longer exists, {1}.',
  theFileIsEmptyChooseAFile: 'The file {0} is empty: choose a file with a table in it.',
  theFile2: 'The file {0} {1}.',
  theFileChangedWhileItWasRead:
    'The file {0} changed while it was read: wait until nothing writes to it, then open it again.',
  theFileIsNotATextTable: 'The file {0} is not a text table, it looks like {1}: {2} and open that.',
  theFileHoldsNulCharactersNearRow:
    'The file {0} holds NUL characters near row {1}, so it is no text table: export the table as CSV and open that.',
  rowHasCellsWhereBelongItWas: 'Row {0} has {1} cells where {2} belong: it was left out.',
  rowColumnItCountsAsMissing: "Row {0}, column {1}: '{2}' {3}; it counts as missing.",
  theFileBeginsWithAByteOrder: 'The file begins with a byte order mark.',
  everyByteSequenceReadIsValidUtf: 'Every byte sequence read is valid UTF-8.',
  someBytesAreNotValidUtf8: 'Some bytes are not valid UTF-8; read as Latin-1 (windows-1252).',
  theCommaSeparatesTheCells: 'The comma separates the cells.',
  noSampledCellHasADecimalMark: 'No sampled cell has a decimal mark.',
  sampledCellsHaveADecimalPoint: '{0} sampled cells have a decimal point.',
  sampledCellsHaveADecimalComma: '{0} sampled cells have a decimal comma.',
  theFirstRowHoldsNumbers: 'The first row holds numbers.',
  theFirstRowHoldsWordsAboveColumns: 'The first row holds words above columns with numbers.',
  ofTheSampledRowsHaveCellsWith: '{0} of the sampled rows have {1} cells with {2}.',
  csvDefault: 'CSV default.',
  setByHand: 'Set by hand.',
  theFirstLinesAreNotTheCounts: 'The first lines are not the counts of the headed format.',
  theCentroidFileHoldsNoCentroidsGive:
    'The centroid file {0} holds no centroids: give it a row for each cluster, or choose another file.',
  theCentroidFileHasNoColumnIt: 'The centroid file {0} has no column {1}: it needs one column per feature.',
  theScanHasNoFinishedClusteringOf:
    'The scan has no finished clustering of k = {0}: wait for it, or resume the scan.',
  theFolderHoldsNoStepPairStep:
    'The folder {0} holds no step pair (step-1-points.csv with step-1-centroids.csv, or two tables that share a number): choose a folder that steps were exported into.',
  theFolderHoldsButNotPutBoth:
    'The folder {0} holds {1} but not {2}: put both files of the step there, or none.',
  thisTableIsNoLongerOpenShow: 'This table is no longer open: show it again.',
  aClusteringIsRunningAndWouldSpoil:
    'A clustering is running and would spoil the times: wait for its end, or cancel it first.',
  aComparisonIsBeingMeasuredAndA:
    'A comparison is being measured, and a clustering beside it would spoil its times: pause or cancel it first.',
  thisRunIsNoLongerKnownRun: 'This run is no longer known: run it again.',
  thisRunCannotBeResumedBecauseIts:
    'This run cannot be resumed, because its checkpoint is no longer kept: start it again.',
  theEngineProcessSentAnUnreadableAnswer:
    'The engine process sent an unreadable answer and is starting again: repeat the last step.',
  thisDataFileIsNoLongerLoaded: 'This data file is no longer loaded; please open it again.',
  aScanOfThisFileIsUnder: 'A scan of this file is under way: wait for it, or cancel it first.',
  columnFloat32MakesValuesTheSameThat:
    'Column {0}: float32 makes values the same that differ by less than {1} far from the middle of the column, such as {2} and {3}: to tell them apart, cluster the far rows in a file of their own, or subtract an offset from them.',
  theHistoryKeepsTheFirstIterationsMore:
    'The history keeps the first {0} iterations; {1} more were left out.',
  theTwoResultsWereMadeFromSo:
    'The two results were made from {0}, so that their rows cannot be compared: choose two results on the same file.',
  hasNoUsableRowForTheChosen:
    '{0} has no usable row for the chosen features: choose other features or another policy for missing values.',
  theValuesOfAreTooForSquared:
    "The values of {0} are too {1} for squared distances (about 1e{2}): choose the scaling 'standardise'.",
  theComputerSleptDuringThisRunThe:
    'The computer slept during this run: the pause is not in its times, but do not compare them with others.',
  noCentroidMovedFromIterationOfOn:
    'No centroid moved from iteration {0} of {1} on: the iterations after it repeat it, which some variants notice and save.',
  noPointChooseASmallerKOr: '{0} no point: choose a smaller k or another policy for empty clusters.',
  theEngineLostItsDeviceInThe:
    'The {0} engine lost its device {1} in the middle of the run: run again, or choose the {2} engine.',
  thereForKSoThatSomeClusters:
    'There {0} for k = {1}, so that some clusters stay empty: choose a k of at most {2}.',
  theInitialisationDoesNotDependOnThe:
    "The initialisation '{0}' does not depend on the seed, so the {1} restarts are all the same.",
  theFilterKeepsNoRowOfChange: 'The filter keeps no row of {0}: change its conditions, or leave it out.',
  columnIsLeftOutBecauseItsCells:
    "Column {0} is left out, because its cells are no plain numbers, such as '{1}' in row {2}: write them like 1234.5 and open the file again.",
  notUsedAsFeatures: 'Not used as features: {0}{1}.',
  hasNoColumnChooseAmong: "{0} has no column '{1}': choose among {2}.",
  theColumnOfHoldsNoNumbersChoose: "The column '{0}' of {1} holds no numbers: choose among {2}{3}.",
  rowColumnOfHasNoFillThe:
    "Row {0}, column '{1}' of {2} has no {3}: fill the cell, or leave such rows out (--missing drop), or fill them by mean or median (--missing mean, --missing median).",
  everyRowOfHasAMissingValue:
    'Every row of {0} has a missing value in a chosen feature: choose other features, or fill missing cells by mean or median (--missing mean, --missing median).',
  theScalingUnitLengthDividesWholeRows:
    "The scaling unit-length divides whole rows by their length, which means nothing for the one-hot features of column '{0}': choose another scaling, or leave the column out.",
  theWorkCouldNotGoOnBecause: 'The work{0} could not go on, because {1}: {2}.',
  somethingWentWrongInsideCentroidLabYour:
    'Something went wrong inside Centroid Lab: {0}. Your data and results are kept; please copy the details and report them.',
  expectedForButReceived: 'Expected {0} for {1} but received {2}.',
  theFilterCannotBeReadAtCharacter: 'The filter cannot be read at character {0}: {1}.',
  noOtherRegimePaysForThisShape: 'No other regime pays for this shape.',
  itWasAskedForByName: 'It was asked for by name.',
  itHasOneWayOnly: 'It has one way only.',
  theFastestExactKMeansHereAssignment:
    'The fastest exact k-means here: assignment and sums in one pass over the points, at the hardware limit; distances that cannot matter are left out.',
  ofTheFileWasLeftOutIn: '{0} of the file was left out: {1}, in row {2}.',
  ofTheFileWereLeftOutThe: '{0} of the file were left out: {1}, the first in row {2}.',
  tooManyOrTooFewCells: 'too many or too few cells',
  missingValuesInTheSelectedColumns: 'missing values in the selected columns',
  pickedByHand: 'picked by hand',
  notAmongThePickedRows: 'not among the picked rows',
  theFilterDoesNotKeepThem: 'the filter {0} does not keep them',
}
