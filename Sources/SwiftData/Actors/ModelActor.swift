import Dispatch
import Foundation
import CoreData

/// An actor with a context of its own; `@ModelActor` makes one of a plain actor.
///
/// Source: developer.apple.com/documentation/swiftdata/modelactor
public protocol ModelActor: Actor {
  nonisolated var modelContainer: ModelContainer { get }
  nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    if let serial = modelExecutor as? any SerialModelExecutor {
      return serial.asUnownedSerialExecutor()
    }
    fatalError(
      "The executor of a model actor is a SerialModelExecutor, not a \(type(of: modelExecutor))")
  }

  public var modelContext: ModelContext { modelExecutor.modelContext }

  /// The model of an identifier; nil when there is none, or one of another class.
  public subscript<T: PersistentModel>(id: PersistentIdentifier, as type: T.Type) -> T? {
    let context = modelContext
    context.catchUp()
    guard let object = context.object(for: id),
      let found = try? context.managed.existingObject(with: object.objectID)
    else { return nil }
    return (found as? ManagedModelObject)?.face as? T
  }
}

/// Runs the jobs of a model actor, with a context that is used by them alone.
public protocol ModelExecutor: Executor {
  var modelContext: ModelContext { get }
}

public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

/// Runs jobs on a queue of its own, never on the main one, wherever the actor was made.
///
/// Sendable: after it was made, its context is used on its queue alone.
public class DefaultSerialModelExecutor: @unchecked Sendable, SerialModelExecutor {
  public final let modelContext: ModelContext
  private let queue = DispatchQueue(label: "SwiftData.DefaultSerialModelExecutor")
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  public init(modelContext: ModelContext) {
    self.modelContext = modelContext
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { [self] in
      job.runSynchronously(on: executor)
      saveIfAsked()
    }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  public func checkIsolated() {
    precondition(isOnItsQueue, "Not on the queue of the model actor")
  }

  public func isIsolatingCurrentContext() -> Bool? { isOnItsQueue }

  private var isOnItsQueue: Bool {
    DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self)
  }

  private func saveIfAsked() {
    guard modelContext.autosaveEnabled, modelContext.hasChanges else { return }
    do { try modelContext.save() } catch {
      FileHandle.standardError.write(
        Data(
          "SwiftData: error: the autosave failed; it is tried again after the next job: \(error)\n"
            .utf8))
    }
  }
}
