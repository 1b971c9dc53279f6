import Foundation

extension ModelElement {
  /// Whether a file is read as a document, and not as an archive of descriptions.
  package static func isDocument(_ data: Data, in file: URL) -> Bool {
    file.lastPathComponent == ElementsArchive.fileName || !isPropertyList(data)
  }

  /// The root element of a document: of XML, or of an archive of Xcode 4.2 and older.
  package static func root(of data: Data, file: String) throws -> ModelElement {
    if isPropertyList(data) { return try ElementsArchive.root(of: data, file: file) }
    return try ModelElementParser.root(of: data, file: file)
  }

  private static func isPropertyList(_ data: Data) -> Bool {
    data.starts(with: Data("bplist".utf8))
  }
}
