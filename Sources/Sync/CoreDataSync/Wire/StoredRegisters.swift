/// Registers with a number each, as a store keeps them.
package struct StoredRegisters: Sendable {
  package struct Element: Sendable {
    package var register: Register
    package var number: Int64
    package var isUnseen: Bool
    package var isTaken: Bool

    package init(
      _ register: Register, number: Int64, isUnseen: Bool = false, isTaken: Bool = false
    ) {
      self.register = register
      self.number = number
      self.isUnseen = isUnseen
      self.isTaken = isTaken
    }
  }
  package var registers: [String: Element]

  package init(registers: [String: Element]) { self.registers = registers }
}

extension StoredRegisters: WireMessage {
  // | 0 elements: a register, a number, and true if it is unseen | 1 names of taken ones |
  func write(to writer: inout WireWriter) {
    writer.fields {
      $0.table(0, registers) {
        $0.array(count: $1.isUnseen ? 3 : 2)
        $0.register($1.register)
        $0.body.integer($1.number)
        if $1.isUnseen { $0.body.bool(true) }
      }
      $0.list(1, registers.filter(\.value.isTaken).keys.sorted()) { $0.name($1) }
    }
  }

  init(from reader: inout WireReader) throws {
    self.init(registers: [:])
    var taken: [String] = []
    try reader.fields { reader, field in
      switch field {
      case 0:
        registers = try reader.table {
          let count = try $0.body.array(most: 3)
          return Element(
            try $0.register(), number: try $0.body.integer(),
            isUnseen: count == 3 ? try $0.body.bool() : false)
        }
      case 1: taken = try reader.list { try $0.name() }
      default: return false
      }
      return true
    }
    for name in taken { registers[name]?.isTaken = true }
  }
}

/// One value, as a store keeps it.
package struct StoredValue: Sendable {
  package var value: SyncValue
  package init(_ value: SyncValue) { self.value = value }
}

extension StoredValue: WireMessage {
  func write(to writer: inout WireWriter) { writer.value(value) }
  init(from reader: inout WireReader) throws { self.init(try reader.value()) }
}
