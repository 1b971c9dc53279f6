/// The changes of one transaction to external files. New files are written before the commit and
/// removed if it fails; dropped files are removed after it has succeeded.
///
/// Used by one thread for one transaction, which ``StoreContents/transaction(_:changeCount:body:)``
/// ends. If it is released without a commit, its new files are removed.
final class ExternalTransaction {
  private let files: ExternalFiles?
  private var written: [UUID] = []
  private var lock: FolderLock?
  /// Set before the commit. A commit that fails may still be found in the log after a crash, so new
  /// files then stay until the next opening checks them.
  private var mayBeCommitted = false

  init(_ files: ExternalFiles?) { self.files = files }

  deinit {
    if !mayBeCommitted { files?.remove(written) }
  }

  // MARK: - Before the commit

  /// The changes with large values written to files and replaced by references.
  func placing(_ changes: StoreChanges, contents: StoreContents) throws -> StoreChanges {
    guard files != nil, contents.hasExternalValues else { return changes }
    var changes = changes
    changes.inserted = try changes.inserted.map { row in
      try placing(row, targets: contents.encoder(of: contents.entity(row.layout)).markedTargets)
    }
    changes.updated = try changes.updated.map { update in
      let encoder = contents.encoder(of: try contents.entity(update.row.layout))
      let targets = encoder.targets(of: update.slots).filter(\.codec.isMarked)
      let row = try placing(update.row, targets: targets)
      return row === update.row
        ? update
        : .init(
          row: row, snapshot: update.snapshot, slots: update.slots,
          relationships: update.relationships)
    }
    flush()
    return changes
  }

  private func placing(_ row: Row, targets: [RowEncoder.Target]) throws -> Row {
    var copy: Row?
    for target in targets {
      guard let reference = try reference(row[target.slot], target: target) else { continue }
      copy = copy ?? row.copy()
      copy?[target.slot] = reference
    }
    return copy ?? row
  }

  /// Replaces large values of a row, which the caller owns, by references.
  func place(_ row: Row, targets: [RowEncoder.Target]) throws {
    for target in targets {
      if let reference = try reference(row[target.slot], target: target) {
        row[target.slot] = reference
      }
    }
  }

  /// A new file for the value; nil for a value that stays in the row. A value that comes from a
  /// file gets another one, since each file belongs to one row.
  private func reference(_ value: Value, target: RowEncoder.Target) throws -> Value? {
    guard let files, let data = try target.externalBytes(value),
      data.count > ExternalFiles.threshold
    else { return nil }
    if lock == nil { lock = try files.lockMaking() }
    let external = try files.write(data)
    written.append(external.name)
    return .object(external)
  }

  /// Flushes the folder, so that new files are on the disk before the rows that name them.
  func flush() {
    if let lock, !written.isEmpty { files?.synchronise(lock) }
  }

  // MARK: - The end

  /// Flushes the folder; called before the commit.
  func willCommit() {
    flush()
    mayBeCommitted = true
  }

  /// Removes dropped files after the commit; called with the database's path. If a query generation
  /// may still read their rows, they stay until the next opening.
  func didCommit(dropping names: [UUID], of file: String) {
    guard let files, !names.isEmpty, !QueryGeneration.reads(file) else { return }
    lock = lock ?? FolderLock(files.folder, kind: .shared)
    files.remove(names)
  }
}

extension RowEncoder.Target {
  /// The bytes that a value would have in a file; nil if it cannot be in one.
  fileprivate func externalBytes(_ value: Value) throws -> Data? {
    switch value {
    case .data(let data): data
    case .object(let external as ExternalData): external.data
    case .object(is UndecodedValue): nil
    case .object(let object) where mapping.kind == .transformable: try codec.encodedBytes(object)
    default: nil
    }
  }
}
