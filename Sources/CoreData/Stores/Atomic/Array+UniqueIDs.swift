extension Array where Element == NSManagedObjectID {
  /// Each once, in the order of the first.
  var uniqued: [NSManagedObjectID] {
    var seen: Set<NSManagedObjectID> = []
    return filter { seen.insert($0).inserted }
  }
}
