// Attributes that no longer allow external storage: moves the bytes of files into the rows.
extension SchemaMigration {
  func inlineExternalData() throws {
    for entity in entities {
      for slot in entity.new.layout.slots {
        guard let old = entity.oldSlot(slot), let table = entity.old?.table,
          Self.allowsFiles(old.slot), !Self.allowsFiles(slot)
        else { continue }
        try inline(old.column.name, of: currentName(table), slot: slot)
      }
    }
  }

  private static func allowsFiles(_ slot: EntityLayout.Slot) -> Bool {
    (slot.property as? NSAttributeDescription)?.allowsExternalBinaryDataStorage ?? false
  }

  private func inline(_ column: String, of table: String, slot: EntityLayout.Slot) throws {
    let name = SQLIdentifier.quoted(column)
    let rows = try connection.withStatement(
      "SELECT Z_PK, \(name) FROM \(table) WHERE substr(\(name), 1, 1) = x'02'"
    ) { statement in
      var rows: [(Int64, Data)] = []
      while try statement.step() {
        rows.append((statement.integer(0), statement.data(1) ?? Data()))
      }
      return rows
    }
    for (key, reference) in rows {
      guard let files, let file = ExternalReference.name(in: reference) else { continue }
      guard let data = files.data(named: file).data else {
        throw CoreDataError.make(
          .migration,
          reason: "The file \(file.uuidString) of “\(slot.name)” of the entity "
            + "“\(slot.property.entity.name ?? "")” is missing, so its value cannot be moved into the row. "
            + "Restore the file, or keep the attribute's external storage.")
      }
      try connection.withStatement("UPDATE \(table) SET \(name) = ? WHERE Z_PK = ?") { statement in
        statement.bind(Data([ExternalReference.inlineMark]) + data, at: 1)
        statement.bind(key, at: 2)
        try statement.run()
      }
    }
  }
}
