import Synchronization

/// Bytes of an attribute that a store keeps in a file of their own: what a row's slot holds in their place.
///
/// The file is looked at when somebody asks for the bytes, and mapped then, so that rows cost nothing for
/// what nobody reads. The bytes are those of the row: when the file is about to be removed, they are kept.
///
/// Sendable: `kept` has its lock, the rest is constant.
package final class ExternalData: NSObject, @unchecked Sendable {
  let name: UUID
  private let file: URL
  private let files: ExternalFiles
  private let kept = Mutex<Data?>(nil)

  /// Made by ``ExternalFiles`` alone, which keeps one instance per file.
  init(name: UUID, in files: ExternalFiles) {
    self.name = name
    self.files = files
    file = files.url(of: name)
  }

  deinit { files.forget(name) }

  /// The bytes; nil when the file is not there or cannot be read.
  package var data: Data? { kept.withLock { $0 } ?? mapped }

  /// The bytes of an object in a slot that is one of external data, where they can be read.
  static func loaded(_ object: AnyObject) -> Data? { (object as? ExternalData)?.data }

  // The caller says what it means that the file is not there, with the property.
  private var mapped: Data? { try? Data(contentsOf: file, options: .alwaysMapped) }

  /// The file is about to be removed: a mapping outlives it.
  func keep() { kept.withLock { $0 = $0 ?? mapped } }

  /// What the column holds: `0x02`, the name, `0x00`.
  var reference: Data { ExternalReference.data(of: name) }

  package override var description: String { "<external data \(name.uuidString)>" }
  package override var hash: Int { name.hashValue }

  package override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ExternalData else { return false }
    return self === other || name == other.name || data == other.data
  }
}

extension Value {
  /// The same, with the bytes of external data in place of their file's name; unchanged when they cannot
  /// be read.
  package var loaded: Value {
    guard case .object(let object) = self, let data = ExternalData.loaded(object) else {
      return self
    }
    return .data(data)
  }
}

/// How a column of an attribute with external storage says where its bytes are:
///
///     0x01 + the bytes themselves
///     0x02 + 36 characters of a UUID + 0x00     in the file of that name
enum ExternalReference {
  static let inlineMark: UInt8 = 1
  static let fileMark: UInt8 = 2

  static func data(of name: UUID) -> Data {
    Data([fileMark]) + Data(name.uuidString.utf8) + Data([0])
  }

  /// The file that a column's bytes name; nil for bytes that name none. Only a UUID is a name: anything
  /// else in a damaged store could lead out of the folder.
  static func name(in data: Data) -> UUID? {
    guard data.first == fileMark else { return nil }
    let text = data.dropFirst().prefix { $0 != 0 }
    return String(data: text, encoding: .utf8).flatMap(UUID.init(uuidString:))
  }
}
