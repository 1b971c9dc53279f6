/// Circles in a reference of an entity to itself are cut: the oldest edge does not show.
extension Derivation {
  struct Edge: Hashable {
    let from: RecordID
    let name: String
  }

  /// Where the references lead of which circles are cut.
  func acyclicEdges() -> [Edge: RecordID] {
    var edges: [Edge: RecordID] = [:]
    for id in result.objects.keys {
      guard let entity = entity(of: id), entity.references.values.contains(where: \.isAcyclic),
        let record = state[id]
      else { continue }
      for (name, reference) in entity.references where reference.isAcyclic {
        if let target = target(of: record, name) { edges[Edge(from: id, name: name)] = target }
      }
    }
    var cut: Set<Edge> = []
    for start in edges.keys.sorted(by: { ($0.name, $0.from) < ($1.name, $1.from) }) {
      while let ring = ring(from: start, edges, without: cut) {
        let oldest = ring.min { (clock(of: $0), $0.from) < (clock(of: $1), $1.from) }
        if let oldest { cut.insert(oldest) }
      }
    }
    for edge in cut { edges[edge] = nil }
    return edges
  }

  private func target(of record: ReplicaRecord, _ name: String) -> RecordID? {
    record.references[name].map { state.resolve($0) }.flatMap { isShown($0) ? $0 : nil }
  }

  private func clock(of edge: Edge) -> Clock { state[edge.from]?.clocks[edge.name] ?? .never }

  /// The circle that a way along the edges ends in, if it does.
  private func ring(from start: Edge, _ edges: [Edge: RecordID], without cut: Set<Edge>)
    -> ArraySlice<Edge>?
  {
    var path: [Edge] = []
    var places: [Edge: Int] = [:]
    var edge = start
    while true {
      if let place = places[edge] { return path[place...] }
      guard !cut.contains(edge), let next = next(of: edge, edges) else { return nil }
      places[edge] = path.count
      path.append(edge)
      edge = Edge(from: next, name: edge.name)
    }
  }

  /// Outside of the scope what is shown goes on being shown.
  private func next(of edge: Edge, _ edges: [Edge: RecordID]) -> RecordID? {
    if let target = edges[edge] { return target }
    guard let scope, !scope.contains(edge.from), let record = state[edge.from],
      case .reference(let target?)? = record.shown[edge.name]
    else { return nil }
    return state.resolve(target)
  }
}
