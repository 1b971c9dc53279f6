import CoreData
import Foundation
import Observation

/// Live query: the models of a fetch, kept up to date. For lists, terminals and servers, where
/// there is no SwiftUI.
///
/// ```swift
/// let books = try ResultsObserver(
///   FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]), in: container.mainContext)
/// for await difference in books.differences { show(difference) }
/// ```
///
/// ``models`` is observed like any `@Observable` property. Changes of the context count as soon as
/// they are processed, changes of other contexts when their save is merged. Built on Core Data's
/// fetched results controller; ``fetchedResultsController`` is for table views, and
/// ``ModelContext/model(of:)`` returns the model of one of its objects.
@MainActor @Observable
public final class ResultsObserver<Model: PersistentModel> {
  /// The fetched models in the order of the descriptor.
  public private(set) var models: [Model] = []
  /// The fetched results controller behind the observer. Its delegate belongs to the observer.
  @ObservationIgnored public let fetchedResultsController:
    NSFetchedResultsController<NSManagedObject>
  @ObservationIgnored private let context: ModelContext
  @ObservationIgnored private let descriptor: FetchDescriptor<Model>
  @ObservationIgnored private var listener: Listener?
  @ObservationIgnored private var continuations:
    [UUID: AsyncStream<CollectionDifference<PersistentIdentifier>>.Continuation] = [:]

  /// Fetches the models and starts to observe changes.
  ///
  /// Throws the errors of ``ModelContext/fetch(_:)``.
  ///
  /// - Parameters:
  ///   - descriptor: the fetch; without sort descriptors the models are ordered by their
  ///     identifiers.
  ///   - context: a main context.
  public init(_ descriptor: FetchDescriptor<Model>, in context: ModelContext) throws {
    self.context = context
    self.descriptor = descriptor
    fetchedResultsController = try context.fetchedResultsController(for: descriptor)
    let listener = Listener()
    self.listener = listener
    fetchedResultsController.delegate = listener
    try fetchedResultsController.performFetch()
    models = current()
    listener.changed = { [weak self] in MainActor.assumeIsolated { self?.update() } }
  }

  private func current() -> [Model] {
    let objects = fetchedResultsController.fetchedObjects ?? []
    let models = objects.compactMap { ($0 as? ManagedModelObject)?.face(as: Model.self) }
    guard context.finishesInMemory(descriptor), let predicate = descriptor.predicate else {
      return models
    }
    return models.filter { predicate.holds(for: $0) }
  }

  private func update() {
    let new = current()
    let difference = new.map(\.persistentModelID).difference(from: models.map(\.persistentModelID))
    models = new
    for continuation in continuations.values { continuation.yield(difference) }
  }

  /// Differences of the identifiers, from this call on. An empty difference means that values of
  /// models changed; a model that moved is both removed and inserted. Each call starts a sequence
  /// of its own, which ends with the observer.
  public var differences: AsyncStream<CollectionDifference<PersistentIdentifier>> {
    AsyncStream { continuation in
      let id = UUID()
      continuations[id] = continuation
      continuation.onTermination = { [weak self] _ in
        Task { @MainActor [weak self] in self?.continuations[id] = nil }
      }
    }
  }

  isolated deinit {
    for continuation in continuations.values { continuation.finish() }
  }

  private final class Listener: NSObject, NSFetchedResultsControllerDelegate {
    var changed: (() -> Void)?

    func controllerDidChangeContent(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>
    ) {
      changed?()
    }
  }
}

extension ModelContext {
  /// Creates a Core Data fetched results controller over the models of a descriptor, for table
  /// views.
  ///
  /// Throws the errors of ``fetch(_:)``. If only memory can evaluate part of the predicate, the
  /// controller's objects include models that do not meet it. Without sort descriptors the objects
  /// are ordered by their object IDs.
  public func fetchedResultsController<Model: PersistentModel>(
    for descriptor: FetchDescriptor<Model>, sectionBy section: PartialKeyPath<Model>? = nil
  ) throws -> NSFetchedResultsController<NSManagedObject> {
    let request = try StoreRequest(descriptor, in: self, isFollowed: true)
      .fetchRequest(NSManagedObject.self)
    if (request.sortDescriptors ?? []).isEmpty {
      request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: true)]
    }
    let name = try section.map { path in
      guard let property = ModelType.of(Model.self).property(for: path) else {
        throw SwiftDataError(
          .unsupportedKeyPath, explanation: "\(path) is no persistent property of \(Model.self)")
      }
      return property.name
    }
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: managed, sectionNameKeyPath: name,
      cacheName: nil)
  }

  /// The model of a managed object of this context; nil for an object of another context or without
  /// a model of this type.
  public func model<Model: PersistentModel>(of object: NSManagedObject) -> Model? {
    guard object.managedObjectContext === managed else { return nil }
    return (object as? ManagedModelObject)?.face as? Model
  }

  func finishesInMemory<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) -> Bool {
    (try? StoreRequest(descriptor, in: self, isFollowed: true).finishesInMemory) ?? false
  }
}
