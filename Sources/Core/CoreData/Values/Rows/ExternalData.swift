import Synchronization

/// The bytes of an attribute that a store keeps in a file of their own; a row's slot holds this
/// object in their place.
///
/// The file is mapped when the bytes are first read, so that rows whose bytes are not read cost
/// nothing. The bytes belong to the row: they are kept in memory when the file is about to be
/// removed.
///
/// Sendable: `kept` has its lock, the rest is constant.
package final class ExternalData: NSObject, @unchecked Sendable {
  let name: UUID
  private let file: URL
  private let files: any ExternalFolder
  private let kept = Mutex<Data?>(nil)

  /// Made by the folder only, which keeps one instance per file.
  init(name: UUID, in files: any ExternalFolder) {
    self.name = name
    self.files = files
    file = files.url(of: name)
  }

  deinit { files.forget(name) }

  /// The bytes; nil if the file is missing or cannot be read.
  package var data: Data? { kept.withLock { $0 } ?? mapped }

  /// The bytes of a slot's object if it is external data whose file can be read; else nil.
  static func loaded(_ object: AnyObject) -> Data? { (object as? ExternalData)?.data }

  // Without an error: the caller reports a missing file, together with the property.
  private var mapped: Data? { try? Data(contentsOf: file, options: .alwaysMapped) }

  /// Keeps the bytes when the file is about to be removed: a mapping outlives its file.
  func keep() { kept.withLock { $0 = $0 ?? mapped } }

  /// The column's value: `0x02`, the name, `0x00`.
  var reference: Data { ExternalReference.data(of: name) }

  package override var description: String { "<external data \(name.uuidString)>" }
  package override var hash: Int { name.hashValue }

  package override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ExternalData else { return false }
    return self === other || name == other.name || data == other.data
  }
}

/// The folder of a store's external data.
protocol ExternalFolder: AnyObject, Sendable {
  func url(of name: UUID) -> URL
  /// Called by the value's `deinit`.
  func forget(_ name: UUID)
}

extension Value {
  /// The value with external data replaced by its bytes; unchanged for other values, and if the
  /// file cannot be read.
  package var loaded: Value {
    guard case .object(let object) = self, let data = ExternalData.loaded(object) else {
      return self
    }
    return .data(data)
  }
}

/// The value of a column whose attribute allows external storage:
///
///     0x01 + the bytes themselves
///     0x02 + 36 characters of a UUID + 0x00     for bytes in the file of that name
enum ExternalReference {
  static let inlineMark: UInt8 = 1
  static let fileMark: UInt8 = 2

  static func data(of name: UUID) -> Data {
    Data([fileMark]) + Data(name.uuidString.utf8) + Data([0])
  }

  /// The file that a column's bytes name; nil if they name none. Only a UUID is accepted as a name:
  /// another path in a damaged store could lead out of the folder.
  static func name(in data: Data) -> UUID? {
    guard data.first == fileMark else { return nil }
    let text = data.dropFirst().prefix { $0 != 0 }
    return String(data: text, encoding: .utf8).flatMap(UUID.init(uuidString:))
  }
}
