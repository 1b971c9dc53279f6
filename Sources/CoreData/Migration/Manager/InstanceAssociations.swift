/// Which destination objects were made of which source objects, by entity mapping.
struct InstanceAssociations {
  private struct Table {
    var destinations: [ObjectIdentifier: [NSManagedObject]] = [:]
    var sources: [ObjectIdentifier: [NSManagedObject]] = [:]
    /// In the order in which they were made.
    var allSources: [NSManagedObject] = []
    var allDestinations: [NSManagedObject] = []
  }

  private var tables: [String: Table] = [:]
  /// Whatever mapping made them.
  private var destinations: [ObjectIdentifier: [NSManagedObject]] = [:]

  mutating func add(
    _ source: NSManagedObject, _ destination: NSManagedObject, mapping name: String
  ) {
    let (from, to) = (ObjectIdentifier(source), ObjectIdentifier(destination))
    var table = tables.removeValue(forKey: name) ?? Table()
    if table.destinations[from] == nil { table.allSources.append(source) }
    if table.sources[to] == nil { table.allDestinations.append(destination) }
    table.destinations[from, default: []].append(destination)
    table.sources[to, default: []].append(source)
    tables[name] = table
    destinations[from, default: []].append(destination)
  }

  /// Those of all source objects when `sources` is nil.
  func destinations(mapping name: String, sources: [NSManagedObject]?) -> [NSManagedObject] {
    guard let table = tables[name] else { return [] }
    guard let sources else { return table.allDestinations }
    return sources.flatMap { table.destinations[ObjectIdentifier($0)] ?? [] }
  }

  /// Those of all destination objects when `destinations` is nil.
  func sources(mapping name: String, destinations: [NSManagedObject]?) -> [NSManagedObject] {
    guard let table = tables[name] else { return [] }
    guard let destinations else { return table.allSources }
    return destinations.flatMap { table.sources[ObjectIdentifier($0)] ?? [] }
  }

  /// What became of source objects, whatever mapping did it.
  func destinations(of sources: [NSManagedObject]) -> [NSManagedObject] {
    sources.flatMap { destinations[ObjectIdentifier($0)] ?? [] }
  }
}
