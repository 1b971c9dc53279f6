extension SQLQuery {
  func bind(to statement: SQLiteStatement) { statement.bind(values) }
}

extension SQLiteStatement {
  /// Binds parameters in their order, from the number `first` on.
  func bind(_ values: [SQLValue], from first: Int32 = 1) {
    for (offset, value) in values.enumerated() {
      let index = first + Int32(offset)
      switch value {
      case .integer(let value): bind(value, at: index)
      case .real(let value): bind(value, at: index)
      case .text(let value), .written(let value, _): bind(value, at: index)
      case .bytes(let value): value.withUnsafeBufferPointer { bind(text: $0, at: index) }
      case .data(let value): bind(value, at: index)
      }
    }
  }
}
