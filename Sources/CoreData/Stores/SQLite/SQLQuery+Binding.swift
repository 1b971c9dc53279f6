extension SQLQuery {
  func bind(to statement: SQLiteStatement) {
    for (index, value) in values.enumerated() {
      let index = Int32(index) + 1
      switch value {
      case .integer(let value): statement.bind(value, at: index)
      case .real(let value): statement.bind(value, at: index)
      case .text(let value): statement.bind(value, at: index)
      case .bytes(let value): value.withUnsafeBufferPointer { statement.bind(text: $0, at: index) }
      case .data(let value): statement.bind(value, at: index)
      }
    }
  }
}
