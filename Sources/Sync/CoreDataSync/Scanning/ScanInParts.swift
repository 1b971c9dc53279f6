import CoreData

/// A scan that saves what it has seen after some thousand objects: a million take the memory of
/// these, and what is kept of each.
///
/// What was deleted comes first. Then new objects become records, with their attributes; then what
/// was edited is looked at, and all properties of new objects, since whatever a relationship leads
/// to has a record by then; then the order of lists; and at the end objects of one name are united.
/// Until the last part is saved sync's store stands at its former point of the history: who opens
/// it before then begins anew, with the records that it has.
struct ScanInParts {
  private enum Pass: CaseIterable { case objects, edits, properties, lists, twins }

  /// More than what a page or a message is about.
  static let usualPart = 4_000

  private let objects: ObjectList
  let origins: Origins
  /// What was deleted, and when edits were made; without new objects.
  private let changes: SavedChanges
  private let edits: [(property: SavedChanges.Property, naming: SavedChanges.Naming)]
  /// Edits of a first scan, by what was edited: they have their own times.
  private let named: [SavedChanges.Property: SavedChanges.Naming]
  private var passes = Pass.allCases[...]
  /// The first of what the pass has not looked at.
  private var next = 0
  private var deleted: [RecordID: String] = [:]
  private var twins: [RecordID: RecordID] = [:]
  private var noted: [SavedChanges.Property: Int64] = [:]
  private var lists: [(list: SavedChanges.Property, time: Int64)] = []

  /// - Parameters:
  ///   - objects: those of which records are to be made, if they have none.
  ///   - changes: what else was saved.
  init(of objects: ObjectList, from origins: Origins, and changes: SavedChanges) {
    (self.objects, self.origins) = (objects, origins)
    named = changes.isFirst ? changes.named : [:]
    edits = changes.named.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    var changes = changes
    changes.named = [:]
    self.changes = changes
  }

  var token: [UInt8]? { changes.token }
  var isOver: Bool { passes.isEmpty }
  var isEmpty: Bool { objects.count == 0 && edits.isEmpty && changes.deletions.isEmpty }

  /// How many objects are gone of which the history does not say that they were deleted.
  var unexplained: Int {
    changes.deletions.reduce(0) { $0 + $1.objects.count { !origins.wasDeleted($0) } }
  }

  /// A scan for the next part.
  func scan(
    _ state: ReplicaState, graph: GraphContext, now: Int64, newID: @escaping () -> RecordID
  ) -> Scan {
    var scan = Scan(changes, state: state, graph: graph, now: now, newID: newID)
    (scan.deleted, scan.twins) = (deleted, twins)
    return scan
  }

  /// Takes some more objects, edits and lists.
  ///
  /// - Parameter count: how many, at most.
  mutating func run(_ scan: inout Scan, atMost count: Int) {
    var room = max(1, count)
    if passes.first == .objects, next == 0 {
      for deletion in changes.deletions { scan.delete(deletion) }
    }
    while room > 0, let pass = passes.first {
      let count = self.count(of: pass)
      let part = next..<min(next + room, count)
      run(pass, part, in: &scan)
      (room, next) = (room - part.count, part.upperBound)
      if next < count { continue }
      (passes, next) = (passes.dropFirst(), 0)
      if passes.first == .lists {
        lists = noted.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      }
    }
    (deleted, twins) = (scan.deleted, scan.twins)
    if isOver { scan.noteEnd() }
  }

  private func count(of pass: Pass) -> Int {
    switch pass {
    case .objects, .properties: objects.count
    case .edits: edits.count
    case .lists: lists.count
    case .twins: 0
    }
  }

  private mutating func run(_ pass: Pass, _ part: Range<Int>, in scan: inout Scan) {
    switch pass {
    case .objects:
      let objects = objects[part]
      scan.graph.read(objects)
      for uri in objects where !scan.isShared(uri) {
        scan.changes.names[uri] = name(of: uri, in: scan.graph)
        scan.insert(uri, at: origins.time(of: uri) ?? scan.now, named: named)
      }
      scan.changes.names = [:]
    case .edits:
      scan.graph.read(Set(edits[part].map(\.property.object)))
      // Counts of a first scan are all as old as their objects, in all copies of the store.
      for (property, naming) in edits[part] where !changes.isFirst || !scan.isCounter(property) {
        scan.look(at: property, naming)
      }
    case .properties:
      let objects = objects[part]
      scan.graph.read(objects)
      for uri in objects {
        let graph = scan.graph
        scan.lookAtAll(of: uri, from: origins.time(of: uri) ?? scan.now) {
          name(of: uri, in: graph)
        }
      }
    case .lists:
      for (list, time) in lists[part] { scan.scanOrder(of: list, at: time) }
    case .twins: scan.uniteTwins()
    }
    noted.merge(scan.lists) { max($0, $1) }
    scan.lists = [:]
  }

  /// What an object is called in every copy of the store.
  private func name(of uri: String, in graph: GraphContext) -> RecordID? {
    graph.name(of: uri, from: origins.origin(of: uri)) ?? graph.nameByValues(of: uri)
  }
}

extension Scan {
  /// Whether the server has the record of an object.
  fileprivate func isShared(_ uri: String) -> Bool {
    state.record(ofObject: uri).flatMap { state[$0]?.isKnown } ?? false
  }

  fileprivate func isCounter(_ property: SavedChanges.Property) -> Bool {
    graph.object(property.object).flatMap { graph.entity(of: $0) }?.counters[property.name] != nil
  }

  /// Looks at all properties of an object.
  ///
  /// - Parameters:
  ///   - time: when it was inserted. What has been looked at before was edited since, at the latest
  ///     now.
  ///   - name: the name that copies of the store have for it, after which the increments that it
  ///     came with are named.
  fileprivate mutating func lookAtAll(of uri: String, from time: Int64, name: () -> RecordID?) {
    guard let id = state.record(ofObject: uri), let object = graph.object(uri),
      let entity = graph.entity(of: object)
    else { return }
    for property in entity.properties {
      let record = state[id]
      let isNewCounter = entity.counters[property] != nil && record?.shown[property] == nil
      look(
        at: SavedChanges.Property(object: uri, name: property),
        SavedChanges.Naming(
          time: record?.clocks[property] == nil ? time : now, transaction: nil,
          origin: isNewCounter ? name()?.description : nil))
    }
  }
}
