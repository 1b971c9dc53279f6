import Dispatch
import Foundation
import CoreData

/// An actor with a model context of its own; `@ModelActor` makes one of a plain actor.
///
/// Source: developer.apple.com/documentation/swiftdata/modelactor
public protocol ModelActor: Actor {
  /// The container whose models the actor works on.
  nonisolated var modelContainer: ModelContainer { get }
  /// The executor that runs the actor's jobs and owns its context.
  nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
  /// The actor's executor. Traps if ``modelExecutor`` is not a ``SerialModelExecutor``.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    if let serial = modelExecutor as? any SerialModelExecutor {
      return serial.asUnownedSerialExecutor()
    }
    fatalError(
      "The executor of a model actor is a SerialModelExecutor, not a \(type(of: modelExecutor))")
  }

  /// The executor's context, for use by the actor's own code only.
  public var modelContext: ModelContext { modelExecutor.modelContext }

  /// The model with an identifier; nil if there is none, or if it is of another class.
  public subscript<T: PersistentModel>(id: PersistentIdentifier, as type: T.Type) -> T? {
    let context = modelContext
    context.catchUp()
    guard let object = context.object(for: id),
      let found = try? context.managed.existingObject(with: object.objectID)
    else { return nil }
    return (found as? ManagedModelObject)?.face as? T
  }
}

/// Runs the jobs of a model actor and owns a context that only those jobs use.
public protocol ModelExecutor: Executor {
  /// The context for the actor's jobs.
  var modelContext: ModelContext { get }
}

/// A model executor that runs one job at a time.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

/// Runs jobs on its own dispatch queue, never on the main queue, wherever the actor was made. After
/// each job it saves the context if ``ModelContext/autosaveEnabled`` is on.
///
/// Sendable: the context is used on `queue` only once the executor has been made, and the other
/// stored properties are constants.
public class DefaultSerialModelExecutor: @unchecked Sendable, SerialModelExecutor {
  /// The context for the actor's jobs, confined to the executor's queue.
  public final let modelContext: ModelContext
  private let queue = DispatchQueue(label: "SwiftData.DefaultSerialModelExecutor")
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  /// Creates an executor with its own queue.
  public init(modelContext: ModelContext) {
    self.modelContext = modelContext
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  /// Runs a job on the executor's queue, then saves the context if autosave is on.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { [self] in
      job.runSynchronously(on: executor)
      saveIfAsked()
    }
  }

  /// An unowned reference to this executor.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Traps unless the caller is on the executor's queue.
  public func checkIsolated() {
    precondition(isOnItsQueue, "Not on the queue of the model actor")
  }

  /// True on the executor's queue, else false.
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
