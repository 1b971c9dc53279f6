/// The associations of source and destination objects, by entity mapping.
///
/// Keeps two numbers per pair, not the objects: see ``TrackedObjects``. The latest pairs are in
/// memory with their indexes, those whose destinations are saved in a ``PairFile``.
struct InstanceAssociations {
  private typealias Side = PairFile.Side

  private var sources: TrackedObjects
  private var destinations: TrackedObjects
  private var tables: [String: Table] = [:]
  /// The names of the tables, in the order of their creation.
  private var mappings: [String] = []
  private var file: PairFile?
  /// False once the file could not be written: all pairs stay in memory then.
  private var canWrite = true

  init(_ source: NSManagedObjectContext, destination: NSManagedObjectContext) {
    sources = TrackedObjects(source)
    destinations = TrackedObjects(destination)
  }

  /// The error of a look-up; nil if all have succeeded.
  var failure: (any Error)? { file?.failure }

  private struct Table {
    /// The table's number in the file.
    let number: Int
    /// The number of pairs in the file, which come before the others.
    var written = 0
    /// The pairs in memory, in the order of their creation.
    private(set) var sources: [UInt64] = []
    private(set) var destinations: [UInt64] = []
    private var bySource: [UInt64: Places] = [:]
    private var byDestination: [UInt64: Places] = [:]

    init(number: Int) { self.number = number }

    var count: Int { written + sources.count }

    mutating func add(_ source: UInt64, destination: UInt64) {
      let place = Int32(sources.count)
      sources.append(source)
      destinations.append(destination)
      bySource[source] = .adding(place, to: bySource[source])
      byDestination[destination] = .adding(place, to: byDestination[destination])
    }

    func numbers(on side: Side) -> [UInt64] { side == .source ? sources : destinations }

    /// The places in memory of the pairs of a number.
    func places(of number: UInt64, on side: Side) -> Places? {
      (side == .source ? bySource : byDestination)[number]
    }

    mutating func renumber(_ renumbered: [UInt64: UInt64]) {
      for place in destinations.indices {
        let old = destinations[place]
        guard let new = renumbered[old] else { continue }
        destinations[place] = new
        if let places = byDestination.removeValue(forKey: old) { byDestination[new] = places }
      }
    }

    /// Writes the pairs to the file, and keeps the room that they have taken in memory.
    mutating func write(to file: PairFile) throws {
      if sources.isEmpty { return }
      try file.append(zip(sources, destinations), mapping: number, from: written)
      written += sources.count
      sources.removeAll(keepingCapacity: true)
      destinations.removeAll(keepingCapacity: true)
      bySource.removeAll(keepingCapacity: true)
      byDestination.removeAll(keepingCapacity: true)
    }
  }

  /// The places of the pairs of one object; most often there is one.
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
    _ source: NSManagedObject, destination: NSManagedObject, mapping name: String
  ) {
    let (from, to) = (sources.track(source), destinations.track(destination))
    if tables[name] == nil { mappings.append(name) }
    var table = tables.removeValue(forKey: name) ?? Table(number: mappings.count - 1)
    table.add(from, destination: to)
    tables[name] = table
  }

  // MARK: - Numbers

  /// The partners of a number in one mapping, in the order of their pairs.
  private func partners(of number: UInt64, on side: Side, _ table: Table) -> [UInt64] {
    let recent = recentPartners(of: number, on: side, table)
    guard table.written > 0, let file else { return recent }
    return file.partners(of: number, on: side, mapping: table.number) + recent
  }

  private func recentPartners(of number: UInt64, on side: Side, _ table: Table) -> [UInt64] {
    guard let places = table.places(of: number, on: side) else { return [] }
    let partners = table.numbers(on: side.other)
    return places.all.map { partners[Int($0)] }
  }

  /// The numbers on one side of a range of pairs, each at its first pair alone.
  private func numbers(on side: Side, _ table: Table, range: Range<Int>) -> [UInt64] {
    let written = range.clamped(to: 0..<table.written)
    let recent = range.clamped(to: table.written..<table.count)
    let numbers =
      written.isEmpty ? [] : file?.numbers(on: side, mapping: table.number, written) ?? []
    let latest = table.numbers(on: side)
    return numbers
      + recent.compactMap { place in
        let index = place - table.written
        let number = latest[index]
        guard let first = table.places(of: number, on: side)?.first, Int(first) == index,
          table.written == 0
            || file?.partners(of: number, on: side, mapping: table.number).isEmpty != false
        else { return nil }
        return number
      }
  }

  // MARK: - Objects

  /// The destination objects of the given sources; of all sources if `sources` is nil.
  func destinations(mapping name: String, sources: [NSManagedObject]?) -> [NSManagedObject] {
    guard let table = tables[name] else { return [] }
    let found =
      sources.map { $0.flatMap { partners(of: self.sources.number(of: $0), on: .source, table) } }
      ?? numbers(on: .destination, table, range: 0..<table.count)
    return found.compactMap { destinations[$0] }
  }

  /// The source objects of the given destinations; of all destinations if `destinations` is nil.
  func sources(mapping name: String, destinations: [NSManagedObject]?) -> [NSManagedObject] {
    guard let table = tables[name] else { return [] }
    let found =
      destinations.map {
        $0.flatMap { partners(of: self.destinations.number(of: $0), on: .destination, table) }
      } ?? numbers(on: .source, table, range: 0..<table.count)
    return found.compactMap { sources[$0] }
  }

  /// The destination objects of the given sources, from all mappings.
  func destinations(of sources: [NSManagedObject]) -> [NSManagedObject] {
    sources.flatMap { source in
      let number = self.sources.number(of: source)
      let written = file?.destinations(of: number) ?? []
      return mappings.flatMap { name in
        guard let table = tables[name] else { return [NSManagedObject]() }
        let numbers = written.filter { $0.mapping == table.number }.map(\.number)
        return (numbers + recentPartners(of: number, on: .source, table))
          .compactMap { destinations[$0] }
      }
    }
  }

  // MARK: - Many objects

  /// The number of pairs of a mapping.
  func count(mapping name: String) -> Int { tables[name]?.count ?? 0 }

  /// The destination objects of a range of pairs, with their sources, read in one fetch each.
  func batch(
    mapping name: String, _ places: Range<Int>
  ) throws -> (destinations: [NSManagedObject], sources: [NSManagedObject]) {
    guard let table = tables[name] else { return ([], []) }
    let made = numbers(on: .destination, table, range: places).compactMap { destinations[$0] }
    let origins = numbers(on: .source, table, range: places).compactMap { sources[$0] }
    try destinations.fill(made)
    try sources.fill(origins)
    return (made, origins)
  }

  /// Called before a save of the destination context.
  mutating func holdDeleted() { destinations.holdDeleted() }

  /// Called after a save of the destination context: replaces the numbers of saved objects by those
  /// of their permanent identities, which no later save changes, and writes the pairs to the file.
  mutating func letGoOfSaved() {
    let renumbered = destinations.letGoOfSaved()
    for name in mappings {
      guard var table = tables.removeValue(forKey: name) else { continue }
      table.renumber(renumbered)
      write(&table)
      tables[name] = table
    }
  }

  private mutating func write(_ table: inout Table) {
    guard canWrite else { return }
    do {
      let file = try self.file ?? PairFile()
      self.file = file
      try table.write(to: file)
    } catch {
      // No room on the disk for the pairs; they are still in memory.
      canWrite = false
    }
  }
}
