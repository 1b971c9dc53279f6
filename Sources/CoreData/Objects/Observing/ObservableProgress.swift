import KeyValueCoding

/// A `Progress` that tells observers of its changes, as Foundation's does on Apple's systems.
///
/// Observers of those that it is a part of are told, too.
open class ObservableProgress: Progress, @unchecked Sendable {
  // Sendable as Foundation's: counts are guarded there, and what it is a part of does not change.
  private weak var whole: ObservableProgress?

  public override init(
    parent parentProgressOrNil: Progress?, userInfo userInfoOrNil: [ProgressUserInfoKey: Any]? = nil
  ) {
    super.init(parent: parentProgressOrNil, userInfo: userInfoOrNil)
    whole = parentProgressOrNil as? ObservableProgress
  }

  open override func addChild(_ child: Progress, withPendingUnitCount inUnitCount: Int64) {
    super.addChild(child, withPendingUnitCount: inUnitCount)
    (child as? ObservableProgress)?.whole = self
  }

  open override var completedUnitCount: Int64 {
    get { super.completedUnitCount }
    set { changing(["completedUnitCount"]) { super.completedUnitCount = newValue } }
  }

  open override var totalUnitCount: Int64 {
    get { super.totalUnitCount }
    set { changing(["totalUnitCount"]) { super.totalUnitCount = newValue } }
  }

  open override func cancel() {
    changing(["isCancelled", "cancelled"], part: []) { super.cancel() }
  }

  open override func pause() {
    changing(["isPaused", "paused"], part: []) { super.pause() }
  }

  open override func resume() {
    changing(["isPaused", "paused"], part: []) { super.resume() }
  }

  /// What follows from a count, here and in what this is a part of.
  private static let following = [
    "fractionCompleted", "isFinished", "finished", "isIndeterminate", "indeterminate",
    "localizedDescription", "localizedAdditionalDescription",
  ]

  private func changing(
    _ keys: [String], part: [String] = following, _ change: () -> Void
  ) {
    guard PlainObservers.areThere else { return change() }
    var all = (keys + part).map { (self, $0) }
    var next = part.isEmpty ? nil : whole
    while let progress = next {
      all += (["completedUnitCount"] + part).map { (progress, $0) }
      next = progress.whole
    }
    for (progress, key) in all { PlainObservers.willSet(progress, key) }
    change()
    for (progress, key) in all.reversed() { PlainObservers.didSet(progress, key) }
  }
}

extension NSMigrationManager: KeyValueObservable {}

/// Key paths of frameworks' classes, which Swift has no names for.
enum FrameworkKeyPaths {
  static let areNamed: Void = {
    KeyPathName.register(\NSMigrationManager.migrationProgress, as: "migrationProgress")
    KeyPathName.register(\NSMigrationManager.currentEntityMapping, as: "currentEntityMapping")
    for (keyPath, name) in progress { KeyPathName.register(keyPath, as: name) }
    for (keyPath, name) in observableProgress { KeyPathName.register(keyPath, as: name) }
  }()

  private static var progress: [(PartialKeyPath<Progress>, String)] {
    [
      (\.fractionCompleted, "fractionCompleted"), (\.completedUnitCount, "completedUnitCount"),
      (\.totalUnitCount, "totalUnitCount"), (\.isFinished, "isFinished"),
      (\.isIndeterminate, "isIndeterminate"), (\.isCancelled, "isCancelled"),
      (\.isPaused, "isPaused"), (\.localizedDescription, "localizedDescription"),
      (\.localizedAdditionalDescription, "localizedAdditionalDescription"),
    ]
  }

  /// Those of the class below it, which are others.
  private static var observableProgress: [(PartialKeyPath<ObservableProgress>, String)] {
    [
      (\.fractionCompleted, "fractionCompleted"),
      (\.completedUnitCount, "completedUnitCount"),
      (\.totalUnitCount, "totalUnitCount"),
      (\.isFinished, "isFinished"),
      (\.isIndeterminate, "isIndeterminate"),
      (\.isCancelled, "isCancelled"),
      (\.isPaused, "isPaused"),
      (\.localizedDescription, "localizedDescription"),
      (\.localizedAdditionalDescription, "localizedAdditionalDescription"),
    ]
  }
}
