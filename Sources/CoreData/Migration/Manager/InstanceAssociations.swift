/// The associations of source and destination objects, by entity mapping.
///
/// Keeps two numbers per pair and their indexes in memory, not the objects: see ``TrackedObjects``.
struct InstanceAssociations {
  private var sources: TrackedObjects
  private var destinations: TrackedObjects
  private var tables: [String: Table] = [:]
  /// The names of the tables, in the order of their creation.
  private var mappings: [String] = []

  init(_ source: NSManagedObjectContext, _ destination: NSManagedObjectContext) {
    sources = TrackedObjects(source)
    destinations = TrackedObjects(destination)
  }

  private struct Table {
    /// The pairs, in the order of their creation.
    var sources: [UInt64] = []
    var destinations: [UInt64] = []
    /// The length of the prefix of pairs whose destinations are all saved.
    var saved = 0
    var bySource: [UInt64: Places] = [:]
    var byDestination: [UInt64: Places] = [:]

    mutating func renumber(_ renumbered: [UInt64: UInt64]) {
      var isSaved = true
      for place in saved..<destinations.count {
        let old = destinations[place]
        if let new = renumbered[old] {
          destinations[place] = new
          if let places = byDestination.removeValue(forKey: old) { byDestination[new] = places }
        } else if PackedIdentity(bits: old).isTemporary {
          isSaved = false
        }
        if isSaved { saved = place + 1 }
      }
    }
  }

  /// The indexes of the pairs of one object; most often there is one.
  private enum Places {
    case one(Int32)
    case several([Int32])

    var all: [Int32] {
      switch self {
      case .one(let place): [place]
      case .several(let places): places
      }
    }

    var first: Int32 {
      switch self {
      case .one(let place): place
      case .several(let places): places[0]
      }
    }

    static func adding(_ place: Int32, to places: Places?) -> Places {
      places.map { .several($0.all + [place]) } ?? .one(place)
    }
  }

  mutating func add(
    _ source: NSManagedObject, _ destination: NSManagedObject, mapping name: String
  ) {
    let (from, to) = (sources.track(source), destinations.track(destination))
    if tables[name] == nil { mappings.append(name) }
    var table = tables.removeValue(forKey: name) ?? Table()
    let place = Int32(table.sources.count)
    table.sources.append(from)
    table.destinations.append(to)
    table.bySource[from] = .adding(place, to: table.bySource[from])
    table.byDestination[to] = .adding(place, to: table.byDestination[to])
    tables[name] = table
  }

  /// The destination objects of the given sources; of all sources if `sources` is nil.
  func destinations(mapping name: String, sources: [NSManagedObject]?) -> [NSManagedObject] {
    guard let table = tables[name] else { return [] }
    guard let sources else { return destinations(of: table, table.destinations.indices) }
    return sources.flatMap { destinations(of: $0, table) }
  }

  private func destinations(of source: NSManagedObject, _ table: Table) -> [NSManagedObject] {
    table.bySource[sources.number(of: source)]?.all.compactMap {
      destinations[table.destinations[Int($0)]]
    } ?? []
  }

  private func destinations(of table: Table, _ places: Range<Int>) -> [NSManagedObject] {
    places.compactMap { place in
      let number = table.destinations[place]
      guard let first = table.byDestination[number]?.first, Int(first) == place else { return nil }
      return destinations[number]
    }
  }

  /// The source objects of the given destinations; of all destinations if `destinations` is nil.
  func sources(mapping name: String, destinations: [NSManagedObject]?) -> [NSManagedObject] {
    guard let table = tables[name] else { return [] }
    guard let destinations else {
      return table.sources.indices.compactMap { place in
        let number = table.sources[place]
        guard let first = table.bySource[number]?.first, Int(first) == place else { return nil }
        return sources[number]
      }
    }
    return destinations.flatMap { sources(of: $0, table) }
  }

  private func sources(of destination: NSManagedObject, _ table: Table) -> [NSManagedObject] {
    table.byDestination[destinations.number(of: destination)]?.all.compactMap {
      sources[table.sources[Int($0)]]
    } ?? []
  }

  /// The destination objects of the given sources, from all mappings.
  func destinations(of sources: [NSManagedObject]) -> [NSManagedObject] {
    sources.flatMap { source in
      mappings.flatMap { name in tables[name].map { destinations(of: source, $0) } ?? [] }
    }
  }

  // MARK: - Many objects

  /// The number of pairs of a mapping.
  func count(mapping name: String) -> Int { tables[name]?.sources.count ?? 0 }

  /// The destination objects of a range of pairs, with their sources, read in one fetch each.
  func batch(
    mapping name: String, _ places: Range<Int>
  ) throws -> (destinations: [NSManagedObject], sources: [NSManagedObject]) {
    guard let table = tables[name] else { return ([], []) }
    let made = destinations(of: table, places)
    let origins = places.compactMap { sources[table.sources[$0]] }
    try destinations.fill(made)
    try sources.fill(origins)
    return (made, origins)
  }

  /// Called before a save of the destination context.
  mutating func holdDeleted() { destinations.holdDeleted() }

  /// Called after a save of the destination context: replaces the numbers of saved objects by those
  /// of their permanent identities.
  mutating func letGoOfSaved() {
    let renumbered = destinations.letGoOfSaved()
    for name in mappings {
      var table = tables.removeValue(forKey: name) ?? Table()
      table.renumber(renumbered)
      tables[name] = table
    }
  }
}
