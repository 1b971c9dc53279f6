import Synchronization

/// The models in use. A model is added when its layouts are made. Thread-safe: guarded by its lock.
enum ModelsInUse {
  private final class Reference: @unchecked Sendable {
    // Sendable: written once, and weak references are read atomically.
    weak var model: NSManagedObjectModel?
    init(_ model: NSManagedObjectModel) { self.model = model }
  }

  private static let references = Mutex<[Reference]>([])

  static var all: [NSManagedObjectModel] { references.withLock { $0.compactMap(\.model) } }

  static func enter(_ model: NSManagedObjectModel) {
    references.withLock { all in
      all.removeAll { $0.model == nil || $0.model === model }
      all.append(Reference(model))
    }
  }
}
