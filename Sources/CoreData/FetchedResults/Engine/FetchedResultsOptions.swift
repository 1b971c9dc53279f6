/// What a fetched results controller does beyond what Apple's does. Off unless asked for.
struct FetchedResultsOptions {
  var watchedKeyPaths: [String] = []
  var keepsFetchLimit = false
  var splitsSectionMoves = false
  var obtainsPermanentIDs = false
  var hasContiguousSections = false
  /// How long a list is at least whose sort keys are all kept in memory once it has changed.
  var leastReadAhead = 1_000
}
