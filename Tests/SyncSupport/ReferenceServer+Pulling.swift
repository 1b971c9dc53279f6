import CoreDataSync

extension ReferenceServer {
  package func pull(_ request: PullRequest) -> Pulled {
    let outcome: Pulled.Outcome =
      if let own = request.epoch, own != epoch { .otherEpoch } else if request.cursor > head {
        .otherEpoch
      } else if request.cursor != 0, request.safe < horizon { .reset } else {
        .page(page(request))
      }
    return Pulled(outcome: outcome, epoch: epoch, now: now)
  }

  private func page(_ request: PullRequest) -> Page {
    var rows: [(Int64, Page.Row)] = []
    for (id, record) in records where record.number > request.cursor {
      rows.append((record.number, .record(row(id, record, after: request.base))))
    }
    for (_, pair) in pairs where pair.number > request.cursor {
      rows.append((pair.number, .pair(pair.value)))
    }
    rows.sort { $0.0 < $1.0 }
    let isDone = rows.count <= request.limit
    var cursor = head
    if !isDone {
      rows = Array(rows.prefix(request.limit))
      cursor = rows.last!.0
      let end = ends.values.filter { $0 > request.cursor && $0 <= cursor }.max()
      cursor = end ?? cursor
      rows.removeAll { $0.0 > cursor }
    }
    let wanted = request.wanted.compactMap { id -> Page.Row? in
      let id = resolve(id)
      return records[id].map { .record(row(id, $0, after: 0)) }
    }
    return Page(rows: rows.map(\.1) + wanted, cursor: cursor, head: head, isDone: isDone)
  }

  func row(_ id: RecordID, _ record: Record, after base: Int64) -> RecordRow {
    let registers = record.registers.filter { $0.value.number > base }
    return RecordRow(
      id: id, entity: record.entity, alias: record.alias, life: record.life,
      registers: registers.mapValues(\.value),
      facts: record.facts.filter { $0.value.number > base }
        .map { Fact(property: $0.key.property, name: $0.key.name, amount: $0.value.value) }
        .sorted { ($0.property, $0.name) < ($1.property, $1.name) },
      isWhole: base == 0, unseen: record.unseen.intersection(registers.keys),
      taken: record.taken.intersection(registers.keys))
  }
}
