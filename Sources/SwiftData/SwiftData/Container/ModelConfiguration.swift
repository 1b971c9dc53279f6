import CoreData
import Foundation

/// A store of a container: where it is, and which models it holds.
///
/// Source: developer.apple.com/documentation/swiftdata/modelconfiguration
public struct ModelConfiguration: Identifiable, Hashable, Sendable, CustomDebugStringConvertible,
  DataStoreConfiguration
{
  public typealias Store = DefaultStore

  /// The file; `/dev/null` for a store in memory.
  public let url: URL
  /// "default" where none is given.
  public let name: String
  /// The group whose folder holds the file; nil without one.
  public let groupAppContainerIdentifier: String?
  /// Always nil: there is no CloudKit here.
  public let cloudKitContainerIdentifier: String?
  /// The group that was asked for.
  public let groupContainer: GroupContainer
  /// The database that was asked for: a sync server's zone, by the product SwiftDataSync, or one of
  /// CloudKit's, which is without effect here.
  public let cloudKitDatabase: CloudKitDatabase
  /// The models that it holds; nil: those of the container.
  public var schema: Schema?
  /// False opens the file for reading alone.
  public let allowsSave: Bool
  /// True for a store that is gone with its container.
  public let isStoredInMemoryOnly: Bool
  /// Whether opening the store may remove models that it has and the schema lacks, with their rows,
  /// where no migration plan says what becomes of them. False: then such a store does not open,
  /// since it may be another program's. Not Apple's, whose framework removes them.
  public var removesModelsOutsideOfSchema = false
  /// Whether contexts merge what other processes save to the store, within some milliseconds, by
  /// way of its history. True. Without effect on a store in memory. Not Apple's, where a context
  /// learns of it by fetching.
  public var followsOtherProcesses = true
  private let hasDefaultPlace: Bool

  public var id: URL { url }

  var isFollowed: Bool { followsOtherProcesses && !isStoredInMemoryOnly }

  /// Where a store is mirrored to. CloudKit's databases are without effect off Apple's systems; the
  /// product SwiftDataSync has those of sync servers.
  public struct CloudKitDatabase: Hashable, Sendable {
    private let name: String?
    private let isAutomatic: Bool
    /// How the store is mirrored; nil for CloudKit.
    let mirroring: StoreMirroring?

    private init(name: String?, isAutomatic: Bool) {
      self.name = name
      self.isAutomatic = isAutomatic
      mirroring = nil
    }

    /// A database that is none of CloudKit's.
    package init(name: String, mirroring: StoreMirroring) {
      self.name = name
      isAutomatic = false
      self.mirroring = mirroring
    }

    /// What says of a store's description where it is mirrored to; nil for CloudKit.
    var options: NSPersistentCloudKitContainerOptions? {
      mirroring.map {
        NSPersistentCloudKitContainerOptions(containerIdentifier: name ?? "", mirroring: $0)
      }
    }

    /// The database that the program's entitlements name.
    public static var automatic: CloudKitDatabase { CloudKitDatabase(name: nil, isAutomatic: true) }
    /// No database.
    public static var none: CloudKitDatabase { CloudKitDatabase(name: nil, isAutomatic: false) }
    /// A private database, by its name.
    public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
      CloudKitDatabase(name: privateDBName, isAutomatic: false)
    }
  }

  /// A folder that several programs share: off Apple's systems `~/.local/share/Group
  /// Containers/NAME`.
  public struct GroupContainer: Hashable, Sendable {
    let name: String?
    private let isAutomatic: Bool

    /// The program's own folder, as `none`: there are no entitlements here.
    public static var automatic: GroupContainer { GroupContainer(name: nil, isAutomatic: true) }
    /// The program's own folder.
    public static var none: GroupContainer { GroupContainer(name: nil, isAutomatic: false) }
    /// The folder of a group, by its name.
    public static func identifier(_ groupName: String) -> GroupContainer {
      GroupContainer(name: groupName, isAutomatic: false)
    }
  }

  /// The store `default.store` with the container's models, or one in memory.
  public init(isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// The store `default.store` with these models, or one in memory.
  public init(for forTypes: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: Schema(forTypes), isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// A store named `name.store` in the program's folder, or in that of the group.
  public init(
    _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false,
    allowsSave: Bool = true, groupContainer: GroupContainer = .automatic,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    let name = name ?? "default"
    let folder = Self.folder(of: groupContainer)
    self.init(
      name: name, schema: schema,
      url: isStoredInMemoryOnly
        ? URL(fileURLWithPath: "/dev/null") : folder.appendingPathComponent("\(name).store"),
      isStoredInMemoryOnly: isStoredInMemoryOnly, allowsSave: allowsSave,
      groupContainer: groupContainer, cloudKitDatabase: cloudKitDatabase,
      hasDefaultPlace: !isStoredInMemoryOnly)
  }

  /// A store at a place of the program's choice; its name is the file's where none is given.
  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    self.init(
      name: name ?? url.deletingPathExtension().lastPathComponent, schema: schema, url: url,
      isStoredInMemoryOnly: url.path == "/dev/null", allowsSave: allowsSave,
      groupContainer: .none, cloudKitDatabase: cloudKitDatabase, hasDefaultPlace: false)
  }

  private init(
    name: String, schema: Schema?, url: URL, isStoredInMemoryOnly: Bool, allowsSave: Bool,
    groupContainer: GroupContainer, cloudKitDatabase: CloudKitDatabase, hasDefaultPlace: Bool
  ) {
    self.hasDefaultPlace = hasDefaultPlace
    self.name = name
    self.schema = schema
    self.url = url
    self.isStoredInMemoryOnly = isStoredInMemoryOnly
    self.allowsSave = allowsSave
    self.groupContainer = groupContainer
    self.cloudKitDatabase = cloudKitDatabase
    groupAppContainerIdentifier = groupContainer.name
    cloudKitContainerIdentifier = nil
  }

  /// Each program has a folder of its own, where Apple's systems give all that are not in a sandbox
  /// the same. A group's is where
  /// `FileManager.containerURL(forSecurityApplicationGroupIdentifier:)` finds it.
  private static func folder(of group: GroupContainer) -> URL {
    guard let name = group.name else { return DefaultDirectory.url }
    return ["Group Containers", name, "Library", "Application Support"]
      .reduce(DefaultDirectory.shared) { $0.appendingPathComponent($1, isDirectory: true) }
  }

  /// Where earlier versions of this package had its store; nil for one whose place was given.
  var formerURL: URL? {
    guard hasDefaultPlace else { return nil }
    let shared = DefaultDirectory.shared
    let folder = groupContainer.name.map {
      shared.deletingLastPathComponent().appendingPathComponent($0)
    }
    return (folder ?? shared).appendingPathComponent(url.lastPathComponent)
  }

  public static func == (left: ModelConfiguration, right: ModelConfiguration) -> Bool {
    left.url == right.url && left.name == right.name && left.allowsSave == right.allowsSave
      && left.isStoredInMemoryOnly == right.isStoredInMemoryOnly && left.schema == right.schema
      && left.groupContainer == right.groupContainer
      && left.cloudKitDatabase == right.cloudKitDatabase
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(url)
    hasher.combine(name)
  }

  /// Throws `SwiftDataError.configurationFileName…` for a name that no file can have.
  public func validate() throws {
    if url.path == "/dev/null" { return }
    let file = url.lastPathComponent
    if name.contains("/") || name.contains("\0") || file.isEmpty {
      throw SwiftDataError(
        .configurationFileNameContainsInvalidCharacters,
        explanation:
          "The configuration “\(name)” would have a file of that name, which may hold neither “/” nor NUL"
      )
    }
    // With the longest of the endings that go with a store.
    if file.utf8.count + "-journal".utf8.count > 255 {
      throw SwiftDataError(
        .configurationFileNameTooLong,
        explanation:
          "“\(file)” has \(file.utf8.count) bytes; with what SQLite adds, 247 are possible")
    }
  }

  public var debugDescription: String {
    "ModelConfiguration - name: \(name), url: \(url.path), isStoredInMemoryOnly: "
      + "\(isStoredInMemoryOnly), allowsSave: \(allowsSave)"
  }
}
