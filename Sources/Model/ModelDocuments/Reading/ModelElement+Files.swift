import Foundation

extension ModelElement {
  /// Returns true if the file is a model document, rather than an archive of descriptions (`.mom`).
  package static func isDocument(_ data: Data, in file: URL) -> Bool {
    file.lastPathComponent == ElementsArchive.fileName || !isPropertyList(data)
  }

  /// The root element of a document in XML, or in an archive of Xcode 4.2 and older.
  package static func root(of data: Data, file: String) throws -> ModelElement {
    if isPropertyList(data) { return try ElementsArchive.root(of: data, file: file) }
    return try ModelElementParser.root(of: data, file: file)
  }

  private static func isPropertyList(_ data: Data) -> Bool {
    data.starts(with: Data("bplist".utf8))
  }
}
