extension ArraySlice where Element == Row {
  /// The longest prefix of rows of one entity.
  package var ofFirstEntity: ArraySlice<Row> {
    withUnsafeBufferPointer { rows in
      guard let first = rows.first else { return self }
      let end = rows.firstIndex { !$0.isOfEntity(of: first) } ?? rows.count
      return prefix(end)
    }
  }

  /// The longest prefix of rows of one store.
  var ofFirstSpace: ArraySlice<Row> {
    withUnsafeBufferPointer { rows in
      guard let space = rows.first?.spaceReference?.toOpaque() else { return prefix(1) }
      let end = rows.firstIndex { $0.spaceReference?.toOpaque() != space } ?? rows.count
      return prefix(end)
    }
  }
}
