/// What a fetched results controller does beyond what Apple's does. Off unless asked for.
struct FetchedResultsOptions {
  var watchedKeyPaths: [String] = []
  var keepsFetchLimit = false
  var splitsSectionMoves = false
  var obtainsPermanentIDs = false
  var hasContiguousSections = false
}
