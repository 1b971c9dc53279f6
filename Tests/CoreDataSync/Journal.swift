@testable import CoreDataSync

/// What a history has seen happen, to compare it with what is there at the end.
struct Journal {
  struct Edited: Hashable {
    let line: String
    let record: RecordID
    let register: String
  }
  struct Scanned {
    var clock: Clock
    var value: SyncValue
  }
  struct Write: Hashable {
    let line: String
    let object: String
    let property: String
  }
  struct Counter: Hashable {
    let record: RecordID
    let property: String
  }
  /// The last value of each register that each line scanned.
  var edits: [Edited: Scanned] = [:]
  /// Every value that was scanned, by property.
  var scannedValues: Set<String> = []
  /// Clocks that the server has changed.
  var clamped: [Edited: [Clock: Clock]] = [:]
  /// Values that were given up because their object was gone.
  var dropped: Set<String> = []
  var denied: Set<RecordID> = []
  /// The last text that each application wrote.
  var writes: [Write: String] = [:]
  var increments: [Write: Int] = [:]
  /// The record of each object that a line had.
  var records: [Write: RecordID] = [:]
  /// Lines of edits of devices that were restored.
  var lostLines: Set<String> = []
  var exemptCounters: Set<Counter> = []

  mutating func exempt(_ counters: Set<Counter>) { exemptCounters.formUnion(counters) }

  mutating func noteSave(of device: SimulatedDevice, old: ReplicaState, new: ReplicaState) {
    for (id, record) in new.records.edits {
      let before = old[id]
      for (register, clock) in before?.clocks ?? [:]
      where record?.clocks[register].map({ $0 < clock }) ?? true {
        dropped.insert("\(id) \(register) \(clock)")
      }
      guard let record, let entity = new.entity(of: record) else { continue }
      if let object = record.object {
        records[Write(line: device.line, object: object, property: "")] = id
      }
      for register in record.unsentRegisters {
        guard let clock = record.clocks[register], clock != before?.clocks[register],
          clock.replica == new.standing.replica,
          let value = record.unsent[register]
            ?? record.structuralValue(of: register, in: entity) ?? record.parked[register]
        else { continue }
        let key = Edited(line: device.line, record: id, register: register)
        edits[key] = Scanned(clock: clock, value: value)
        if case .text(let text) = value { scannedValues.insert("\(register) \(text)") }
      }
    }
  }

  mutating func note(_ answer: Pushed, to message: PushMessage, of device: SimulatedDevice) {
    guard case .accepted(let acceptance) = answer.outcome else { return }
    denied.formUnion(acceptance.denied.keys)
    for change in message.records {
      for (name, register) in change.registers {
        guard let clock = acceptance.clamped[register.clock] else { continue }
        let key = Edited(line: device.line, record: change.id, register: name)
        clamped[key, default: [:]][register.clock] = clock
      }
    }
  }
}
