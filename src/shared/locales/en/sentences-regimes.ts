/** Why a regime is taken or not, and what variants do, as kernels say it in English: see `localized-sentence.ts`. */
export default {
  nKDistancesStoredArgminAtomic: 'N×k distances stored, argmin, atomic sums, mean, compare.',
  wholeMatrixExpressionsEachColumnReplicated:
    'Whole-matrix expressions: each column replicated k times, row-wise argmin.',
  theDeviceHasTooLittleMemory: 'The device has too little memory for bounds of these points.',
  boundsAreKeptOfPointsOn: 'Bounds are kept of points on the device, and these do not fit there.',
  tilesOfPointsAreBoundedFor: 'Tiles of points are bounded for up to 32 features.',
  tilesAreMadeOf2049To: 'Tiles are made of 2049 to 2147483647 points.',
  tilesKeepLabelsOfUpTo: 'Tiles keep labels of up to 65533 clusters.',
  visitsOnlyTilesOfNeighbouringPoints:
    'Visits only tiles of neighbouring points whose labels may have changed; passes in which that cannot pay, the first ones mostly, are brute force.',
  withSoManyClustersAndDistances:
    'With so many clusters and distances, most tiles of neighbouring points keep their labels in later passes.',
  boundsAPointAreKeptFor: 'Bounds a point are kept for 33 to 256 features.',
  boundsAPointAreKeptFor9To: 'Bounds a point are kept for 9 to 4096 clusters.',
  boundsAPointComeFromA: 'Bounds a point come from a filter that needs compute capability 8.0.',
  visitsOfOpenPointsDoNot: 'Visits of open points do not fit into the shared memory of a block.',
  boundsAreKeptOfUpTo: 'Bounds are kept of up to 2147483647 points.',
  twoBoundsAPointLeftBehind:
    'Two bounds a point, left behind by brute force with its filter, until visits of the open points take less time.',
  boxesOfOrderedPointsOneThat:
    'Boxes of ordered points; one that a single centroid can own moves its sums as a whole.',
  theFilterOfBoxesIsProven: 'The filter of boxes is proven for up to {0} features.',
  boxesKeepCandidatesOfUpTo: 'Boxes keep candidates of up to {0} clusters.',
  inUpToFeaturesMostBoxes: 'In up to {0} features most boxes of neighbouring points lie in few clusters.',
  thePointsLieSoThatBoxes: 'The points lie so that boxes of neighbours lie in few clusters.',
  boxesPayWhereNeighbouringPointsLie:
    'Boxes pay where neighbouring points lie in few clusters, which a probe decides.',
  boundsFromTheDirectionsInWhich:
    'Bounds from the directions in which the points vary most leave out nearly all distances; groups as in tiled-scores.',
  projectionsNeedFeaturesOrMore: 'Projections need {0} features or more.',
  theMarginOfProjectionsIsProven: 'The margin of projections is proven for fewer than {0} features.',
  thePointsVaryAlongSoFew:
    'The points vary along so few directions that bounds from them leave out nearly all distances.',
  boundsFromAFewDirectionsPay:
    'Bounds from a few directions pay where the points vary along few, which a probe decides.',
  tilesOfPointsByBlocksOf:
    'Tiles of points by blocks of centroids; scores with a proven margin find the nearest, distances decide inside it. Where clusters lie apart, groups of neighbouring points with lists of the centroids that can be nearest go on.',
  theMarginOfScoresIsProven: 'The margin of scores is proven for fewer than {0} features.',
  fromCentroidsOnScoresTakeLess: 'From {0} centroids on, scores take less than distances.',
  fromFeaturesOnScoresTakeLess: 'From {0} features on, scores take less than distances.',
  tilesOfPointsByBlocksOfCentroidsEvery: 'Tiles of points by blocks of centroids, every distance computed.',
  belowCentroidsComputingEveryDistanceTakes: 'Below {0} centroids, computing every distance takes least.',
  theFeaturesAreTooManyFor: 'The features are too many for scores.',
  pointsThatPassThroughTheDevice:
    'Points that pass through the device in every iteration cannot be kept there in another form.',
  wholeRunsInOneLaunchHold: 'Whole runs in one launch hold points of up to 4 features.',
  theDeviceCannotLaunchBlocksThat: 'The device cannot launch blocks that wait for each other.',
  devicesThatShareTheRowsAdd: 'Devices that share the rows add their sums up in every iteration.',
  iterationsThatAreTimedOneBy: 'Iterations that are timed one by one cannot share a launch.',
  pointsStayInRegistersBlocksSend:
    'Points stay in registers; blocks send each other their sums, so that many iterations are one launch.',
  blocksWouldHaveTooManySums: 'Blocks would have too many sums to send each other.',
  theRegistersHoldAllPointsAnd: 'The registers hold all points, and blocks have few sums to exchange.',
  pointsStayInRegistersForMany:
    'Points stay in registers for many iterations in one launch, with a barrier of all blocks in each.',
  theRegistersDoNotHoldAll: 'The registers do not hold all points, or a block not all centroids.',
  theRegistersOfTheDeviceHold: 'The registers of the device hold all points.',
  pointsInAnOrderOfNeighbours:
    'Points in an order of neighbours; chunks of them look only at the centroids that can be nearest to one of theirs.',
  chunksOfNeighboursHoldPointsOf: 'Chunks of neighbours hold points of up to 32 features.',
  chunksOfNeighboursNeedComputeCapability: 'Chunks of neighbours need compute capability 8.0.',
  neighboursAreFoundAmong2049To: 'Neighbours are found among 2049 to 2147483647 points.',
  listsOfCentroidsNumberUpTo: 'Lists of centroids number up to 4096.',
  centroidsAndSumsDoNotFit: 'Centroids and sums do not fit into the shared memory of a block.',
  neighboursLieTogetherSoThatMost: 'Neighbours lie together, so that most distances cannot matter.',
  distancesCannotMatterWhereNeighbours:
    'Most distances cannot matter where neighbours lie together, which a probe decides.',
  eachWarpHasTilesOfPoints:
    'Each warp has tiles of points in shared memory, copied ahead; distances, or scores that name one centroid; sums change by points that moved.',
  pointsInSharedMemoryAreCopied:
    'Points in shared memory are copied and scored by compute capability 8.0 and later.',
  pointsInSharedMemoryHaveUp:
    'Points in shared memory have up to 32 features and 128 clusters, or 64 and 64.',
  clustersAreSoFewThatReading:
    'Clusters are so few that reading the points takes longest, which this does once.',
  rowsPassThroughSharedMemoryBy:
    'Rows pass through shared memory by pieces, products with all centroids on matrix units leave few in question; sums change by points that moved.',
  rowsAreCopiedByPiecesAnd: 'Rows are copied by pieces and scored by compute capability 8.0 and later.',
  rowsByPiecesHaveUpTo:
    'Rows by pieces have up to 128 clusters whose centroids fit into the shared memory of a block as two float16 each.',
  featuresAreManyAndClustersSo:
    'Features are many and clusters so few that reading the points takes longest, which this does once.',
  scoresOnMatrixUnitsChooseA:
    'Scores on matrix units choose a group of eight centroids in shared memory, distances decide in it.',
  matrixScoresHaveUpTo32: 'Matrix scores have up to 32 features.',
  matrixScoresNeedMatrixUnitsOf: 'Matrix scores need matrix units of compute capability 8.0.',
  theCentroidsDoNotFitInto: 'The centroids do not fit into the shared memory of a block in float16.',
  theSharedMemoryOfABlock:
    'The shared memory of a block holds all centroids in float16, and there are matrix units.',
  productsInFloat16OnMatrixUnits:
    'Products in float16 on matrix units leave few centroids in question, distances decide among them; sums change by points that moved.',
  theFilterByMatrixUnitsIs: 'The filter by matrix units is for 9 features and more.',
  theFilterNeedsMatrixUnitsOf: 'The filter needs matrix units of compute capability 8.0.',
  theFilterPartsCentroidsIntoGroups:
    'The filter parts centroids into groups of 8: up to 8 clusters there is nothing to part.',
  theFilterKnowsUpTo8388608: 'The filter tells up to 8388608 clusters apart.',
  featuresAndClustersAreSoMany:
    'Features and clusters are so many that products in float16 on matrix units, which leave few in question, pay.',
  tilesOfPointsByCentroidsIn: 'Tiles of points by centroids in registers, sums in global memory.',
  pointsPassThroughTheDeviceAnd: 'Points pass through the device, and features are many.',
  itTakesAnyShape: 'It takes any shape.',
  aFilterOnMatrixUnitsWith:
    'A filter on matrix units with a proven margin leaves few distances; sums follow points that moved.',
  theDeviceHasNoMatrixUnits: 'The device has no matrix units that WebGPU can use.',
  itTakesAtMostFeatures: 'It takes at most {0} features.',
  theDeviceHasMatrixUnitsAnd: 'The device has matrix units, and an iteration has {0} multiply-adds.',
  pointsOfThePlaneInThe:
    'Points of the plane in the order of a curve: cells where one centroid is nearest give their sums as they are.',
  soManyPointsOfThePlane:
    'So many points of the plane for {0} clusters that most cells have one nearest centroid.',
  pointsOfThePlaneInTheOrderOf:
    'Points of the plane in the order of a curve: boxes of them list the centroids that can be nearest.',
  boxesOfPointsInThePlane: 'Boxes of points in the plane have few of the {0} centroids near them.',
  pointsCellByCellDistancesTo:
    'Points cell by cell: distances to the centroids alone that can be the nearest in a cell.',
  thereIsNoMemoryForA: 'There is no memory for a second copy of the points.',
  pointsPayForAnOrderOf:
    '{0} points pay for an order of their own: cells of them have few centroids near them.',
  centroidsAndTheSumsOfA:
    'Centroids and the sums of a workgroup in its memory, points in registers; scores choose where clusters are many.',
  pointsOfFitIntoRegisters: 'Points of {0} fit into registers.',
  aPointALaneCentroidsIn:
    'A point a lane, centroids in workgroup memory; then four features a lane, added up without atomics.',
  onASoftwareAdapterLanesCost: 'On a software adapter lanes cost more than they save beside each other.',
  tilesOfPointsAndCentroidsIn:
    'Tiles of points and centroids in workgroup memory; scores choose, sums change by points that moved.',
  itIsForTwoFeatures: 'It is for two features.',
  itNeedsBytesOfWorkgroupMemory: 'It needs {0} bytes of workgroup memory, and the device has {1}.',
  itTakesAtLeastFeatures: 'It takes at least {0} features.',
  itTakesAtMostClusters: 'It takes at most {0} clusters.',
  itWritesNoLabelsAndChanged: 'It writes no labels, and changed labels are counted in every iteration.',
  oneThreadPerPointCentroidsIn: 'One thread per point, centroids in global memory, atomic sums.',
  assignmentOnTheDeviceLabelsBack:
    'Assignment on the device, labels back, parallel reduction on the processor.',
  assignmentOnTheDeviceWithoutShared:
    'Assignment on the device without shared memory, update in one pass on the processor.',
  oneKernelAssignmentMembersMadeNeighbours:
    'One kernel: assignment, members made neighbours by atomic counters, log steps; points as columns.',
  approximateEveryIterationLooksAtA: 'Approximate: every iteration looks at a few points drawn at random.',
  assignmentAndUpdateParallelOverPoints: 'Assignment and update parallel over points.',
  workersUsually512KeepPrivateSums:
    'Workers, usually 512, keep private sums over slices of the points, then a reduction over them.',
  oneThreadTextbookLoopsOnePass: 'One thread, textbook loops, one pass for the sums.',
  oneThreadPerPointCentroidsStaged: 'One thread per point, centroids staged in shared memory, atomic sums.',
  pointIndicesSortedByLabelCoordinates:
    'Point indices sorted by label, coordinates gathered in that order, segmented reduction.',
  assignmentAndUpdateParallelOverPointsOnOnetbb: 'Assignment and update parallel over points, on oneTBB.',
  theKernelOfGlobalAtomicsOn: 'The kernel of global-atomics on Thrust containers, which thrust::fill clears.',
  perBlockTreeReductionForEach:
    'Per-block tree reduction for each cluster, then a coarse reduction over blocks.',
  theVariantNamesNoRegimeThat: "The variant '{0}' names no regime that labels the points.",
}
