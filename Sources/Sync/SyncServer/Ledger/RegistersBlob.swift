import CoreDataSync
import Foundation

/// Registers and values as the store keeps them: as on the wire, with the number of each register.
enum RegistersBlob {
  static func data(_ registers: [String: LedgerRecord.Numbered]) -> Data? {
    if registers.isEmpty { return nil }
    return StoredRegisters(
      registers: registers.mapValues {
        StoredRegisters.Element(
          $0.register, number: $0.number, isUnseen: $0.isUnseen, isTaken: $0.isTaken)
      }
    ).encodedMessage()
  }

  static func read(_ data: Data) throws -> [String: LedgerRecord.Numbered] {
    if data.isEmpty { return [:] }
    return try StoredRegisters(encodedMessage: data).registers.mapValues {
      LedgerRecord.Numbered(
        register: $0.register, number: $0.number, isUnseen: $0.isUnseen, isTaken: $0.isTaken)
    }
  }

  static func bytes(of value: SyncValue) -> Data { StoredValue(value).encodedMessage() }
  static func value(_ data: Data) throws -> SyncValue {
    try StoredValue(encodedMessage: data).value
  }
}
