/// The file of an XML store, in Apple's format.
///
///     <?xml version="1.0" standalone="no"?>
///     <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
///     <database>
///         <databaseInfo>
///             <version>134481920</version>
///             <UUID>…</UUID>
///             <nextObjectID>105</nextObjectID>
///             <metadata><plist version="1.0"><dict>…</dict></plist></metadata>
///         </databaseInfo>
///         <object type="ENTITY" id="z104">
///             <attribute name="name" type="string">…</attribute>
///             <relationship name="parts" type="0/0" destination="ENTITY"
///                 idrefs="z102 z103"></relationship>       (in the file on one line)
///         </object>
///     </database>
///
/// Names of entities are in upper case, those of properties in lower case, unless two names would
/// then be equal. A value that is nil is left out; a relationship without members has no `idrefs`.
/// The type of a relationship is its minimum and its maximum count. Values:
///
///     int16 int32 int64 bool    digits; 1 and 0
///     double float date         digits; dates are seconds since 2001 with 20 decimals
///     string decimal uuid uri   text. One with characters that XML cannot hold is base 64 of its
///                               UTF-8, marked with encoding="base64" (not Apple's)
///     binary transformable      base 64
///
/// A document type declaration with content is refused, so that a small file cannot expand.
enum XMLStoreFile: AtomicFileFormat {
  static let version = 134_481_920

  static var storeType: String { NSXMLStoreType }

  static func metadata(of url: URL) throws -> [String: Any] {
    try XMLStoreReader.info(of: url).contents.metadata
  }

  static func replaceMetadata(_ metadata: [String: Any], of url: URL) throws {
    let (old, place) = try XMLStoreReader.info(of: url)
    let info = try XMLStoreWriter.info(checked(metadata), lastKey: old.lastKey)
    let bytes = try Data(contentsOf: url)
    try FileReplacement.write(to: url) {
      try $0.write(bytes.prefix(place.lowerBound), for: url)
      try $0.write(info.utf8, for: url)
      try $0.write(bytes.dropFirst(place.upperBound), for: url)
    }
  }

  static func read(_ url: URL, layouts: [EntityLayout]) throws -> StoredContents {
    try XMLStoreReader.contents(of: url, layouts: layouts)
  }

  static func write(_ contents: StoredContents, layouts: [EntityLayout], to url: URL) throws {
    let writer = XMLStoreWriter(layouts: layouts)
    let info = try XMLStoreWriter.info(checked(contents.metadata), lastKey: contents.lastKey)
    try FileReplacement.write(to: url) { file in
      try file.write(XMLStoreWriter.prolog.utf8, for: url)
      try file.write(info.utf8, for: url)
      for object in contents.objects { try file.write(writer.element(object).utf8, for: url) }
      try file.write("\n</database>\n".utf8, for: url)
    }
  }
}
