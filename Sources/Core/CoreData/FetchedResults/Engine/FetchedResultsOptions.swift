/// The extensions of Apple's fetched results controller. Off by default.
struct FetchedResultsOptions {
  var watchedKeyPaths: [String] = []
  var keepsFetchLimit = false
  var splitsSectionMoves = false
  var obtainsPermanentIDs = false
  var hasContiguousSections = false
  /// The least length of a list whose sort keys are all kept in memory after its first change.
  var leastReadAhead = 1_000
}
