extension Array where Element == NSManagedObjectID {
  /// The array without repetitions, each ID at its first position.
  var uniqued: [NSManagedObjectID] {
    var seen: Set<NSManagedObjectID> = []
    return filter { seen.insert($0).inserted }
  }
}
