/// Reads an XML store's file as a stream; the format is described at ``XMLStoreFile``. Used once,
/// on one thread.
struct XMLStoreReader {
  private static let deepest = 32

  private var scanner: XMLScanner
  /// The entities by name; nil if objects are not read.
  private let entities: NameTable<EntityLayout>?
  /// The attributes by the entity's name as the file writes it.
  private var attributes: [String: NameTable<NSAttributeDescription>] = [:]
  private var open: [String] = []
  private var text = ""
  private var uuid = ""
  private var lastKey: Int64 = 0
  private var list = XMLPropertyListText()
  private var attribute: (name: String, isEncoded: Bool)?
  private var object: StoredObject?
  private var objects: [StoredObject] = []
  /// The offset at which `databaseInfo` begins; `infoEnd` is the one at which it ends.
  private var infoStart = 0
  private var infoEnd: Int?

  /// The whole contents of the file. Throws ``FileDamage``.
  static func contents(of url: URL, layouts: [EntityLayout]) throws -> StoredContents {
    var reader = try XMLStoreReader(
      url, entities: NameTable(layouts.map { ($0.entity.name ?? "", $0) }))
    while try reader.step() {}
    return try reader.contents()
  }

  /// The contents of `databaseInfo`, without objects, and its range in the file. Throws
  /// ``FileDamage``.
  static func info(of url: URL) throws -> (contents: StoredContents, place: Range<Int>) {
    var reader = try XMLStoreReader(url, entities: nil)
    while reader.infoEnd == nil, try reader.step() {}
    guard let end = reader.infoEnd else { throw FileDamage(text: "it has no databaseInfo") }
    reader.open = []
    return (try reader.contents(), reader.infoStart..<end)
  }

  private init(_ url: URL, entities: NameTable<EntityLayout>?) throws {
    scanner = try XMLScanner(url)
    self.entities = entities
  }

  private func contents() throws -> StoredContents {
    guard open.isEmpty, infoEnd != nil else { throw damage("it ends before its end") }
    var metadata = try list.value()
    metadata[NSStoreTypeKey] = NSXMLStoreType
    if !uuid.isEmpty { metadata[NSStoreUUIDKey] = uuid }
    return StoredContents(metadata: metadata, lastKey: lastKey, objects: objects)
  }

  private func damage(_ text: String) -> FileDamage {
    FileDamage(text: "line \(scanner.line): \(text)")
  }

  /// Reads one token; false at the end of the file.
  private mutating func step() throws -> Bool {
    let start = scanner.offset
    guard let token = try scanner.next() else { return false }
    switch token {
    case .text(let piece): text += piece
    case .start(let name, let attributes): try begin(name, attributes: attributes, at: start)
    case .end(let name): try end(name)
    }
    return true
  }

  private var isInMetadata: Bool { open.count > 3 && open[2] == "metadata" }

  private mutating func begin(
    _ name: String, attributes: [String: String], at start: Int
  ) throws {
    if open.isEmpty, infoEnd != nil { throw damage("there is more than one root") }
    open.append(name)
    guard open.count <= Self.deepest else { throw damage("elements are nested too deep") }
    guard open[0] == "database" else { throw damage("the root is “\(open[0])”") }
    text = ""
    if isInMetadata { return list.begin(name) }
    switch (open.count, name) {
    case (2, "databaseInfo"): infoStart = start
    case (2, "object") where entities != nil: try beginObject(attributes)
    case (3, "attribute"):
      attribute = attributes["name"].map { ($0, attributes["encoding"] == "base64") }
    case (3, "relationship"): try relate(attributes)
    default: break
    }
  }

  private mutating func end(_ name: String) throws {
    guard open.last == name else { throw damage("“\(name)” ends but has not begun") }
    if isInMetadata { list.end(name, content: text) }
    if open.count == 3, open[1] == "databaseInfo" { try note(name) }
    if open.count == 2, name == "databaseInfo" { infoEnd = scanner.offset }
    if open.count == 3, name == "attribute" { try endAttribute() }
    if open.count == 2, let object {
      objects.append(object)
      self.object = nil
    }
    text = ""
    open.removeLast()
  }

  private mutating func note(_ name: String) throws {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch name {
    case "UUID": uuid = text
    case "nextObjectID":
      guard let key = Int64(text), key >= 0, key <= 1 << 40 else {
        throw damage("nextObjectID is no number of an object")
      }
      lastKey = max(0, key - 1)
    default: break
    }
  }

  // MARK: - Objects

  private mutating func beginObject(_ attributes: [String: String]) throws {
    guard let type = attributes["type"], let key = attributes["id"].flatMap(Self.key) else {
      throw damage("an object has no type or no id")
    }
    object = StoredObject(entity: type, key: key)
  }

  private static func key(_ text: some StringProtocol) -> Int64? {
    text.first == "z" ? Int64(text.dropFirst()) : nil
  }

  private mutating func relate(_ attributes: [String: String]) throws {
    guard let name = attributes["name"] else { throw damage("a relationship has no name") }
    let references = (attributes["idrefs"] ?? "").split(whereSeparator: \.isWhitespace)
    let keys = references.compactMap(Self.key)
    guard keys.count == references.count else { throw damage("“\(name)” refers to what is no id") }
    object?.relationships.append((name, keys))
  }

  private mutating func endAttribute() throws {
    guard let (name, isEncoded) = attribute, let entity = object?.entity else { return }
    attribute = nil
    // An attribute that the model lacks is reported by ``StoredContentsReader``.
    guard let description = description(of: name, entity) else {
      object?.attributes.append((name, .text("")))
      return
    }
    guard let value = XMLValue.value(text, isEncoded: isEncoded, of: description) else {
      throw damage("a value of “\(name)” is not of the type that the model says")
    }
    object?.attributes.append((name, value))
  }

  private mutating func description(
    of name: String, _ entity: String
  ) -> NSAttributeDescription? {
    if let known = attributes[entity] { return known[name] }
    let all = entities?[entity]?.slots ?? []
    let table = NameTable(
      all.compactMap { slot in
        (slot.property as? NSAttributeDescription).map { (slot.name, $0) }
      })
    attributes[entity] = table
    return table[name]
  }
}
