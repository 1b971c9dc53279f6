import CoreData
import CoreDataSupport
import CoreDataSync
import Testing
import TestSupport

/// A container as an application has it whose notes are mirrored: notes in one store, drafts, where these are wanted,
/// in another one that stays on the device.
final class CloudNotes: Sendable {
  let folder: TestFolder
  let container: NSPersistentCloudKitContainer
  let log: EventLog

  init(
    _ options: NSPersistentCloudKitContainerOptions?, in folder: TestFolder? = nil,
    withDrafts: Bool = false
  ) throws {
    self.folder = try folder ?? TestFolder()
    container = NSPersistentCloudKitContainer(name: "Notes", managedObjectModel: Self.model)
    log = EventLog(container)
    let notes = NSPersistentStoreDescription(url: self.folder.file("Notes.sqlite"))
    notes.cloudKitContainerOptions = options
    let drafts = NSPersistentStoreDescription(url: self.folder.file("Drafts.sqlite"))
    if withDrafts { (notes.configuration, drafts.configuration) = ("Cloud", "Local") }
    container.persistentStoreDescriptions = withDrafts ? [drafts, notes] : [notes]
    try container.open()
  }

  /// Ends the engines: connections must not outlive a server of this process.
  func close() async throws {
    for engine in container.syncEngines { try await engine.close() }
  }

  @discardableResult
  func write<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    try container.write(body)
  }

  func insert(_ title: String, _ entity: String = "Note") throws {
    try write { $0.insert(entity, ["title": title]) }
  }

  func titles(_ entity: String = "Note") throws -> [String] {
    try write { context in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
        .compactMap { $0.value(forKey: "title") as? String }.sorted()
    }
  }

  func rename(_ title: String, _ new: String) throws {
    try write { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "title == %@", title)
      try #require(context.fetch(request).first).setValue(new, forKey: "title")
    }
  }

  func wait(for titles: [String]) async throws {
    try await Patience.waiting(for: "\(titles)") { try self.titles() == titles }
  }

  /// What a request for events answers.
  func events(_ request: NSPersistentCloudKitContainerEventRequest) throws
    -> [NSPersistentCloudKitContainer.Event]
  {
    try write { context in
      let result = try context.execute(request) as? NSPersistentCloudKitContainerEventResult
      return try #require(result?.result as? [NSPersistentCloudKitContainer.Event])
    }
  }

  private static let model: NSManagedObjectModel = {
    let model = ModelPart.model(
      ["Note", "Draft"].map { ModelPart.entity($0, [ModelPart.attribute("title")]) })
    model.setEntities([model.entities[0]], forConfigurationName: "Cloud")
    model.setEntities([model.entities[1]], forConfigurationName: "Local")
    return model
  }()
}

/// What a view of a container's state is told.
final class EventLog: @unchecked Sendable {
  // Sendable: the lock guards what was told; the observer is only handed back.
  private let lock = NSLock()
  private var told: [NSPersistentCloudKitContainer.Event] = []
  private var observer: (any NSObjectProtocol)?

  init(_ container: NSPersistentCloudKitContainer?) {
    observer = NotificationCenter.default.addObserver(
      forName: NSPersistentCloudKitContainer.eventChangedNotification, object: container, queue: nil
    ) { [weak self] notification in
      let event =
        notification.userInfo?[NSPersistentCloudKitContainer.eventNotificationUserInfoKey]
        as? NSPersistentCloudKitContainer.Event
      guard let self, let event else { return }
      lock.withLock { self.told.append(event) }
    }
  }

  deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }

  var events: [NSPersistentCloudKitContainer.Event] { lock.withLock { told } }

  /// "setup…" for a beginning, "setup" for an end, "setup!" for an end with an error.
  var lines: [String] {
    events.map { event in
      let end = event.endDate == nil ? "…" : event.error == nil ? "" : "!"
      return "\(event.type)\(end)"
    }
  }
}
