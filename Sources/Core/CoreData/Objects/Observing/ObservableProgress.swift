import KeyValueCoding

/// A `Progress` that notifies observers of its changes, as Foundation's does on Apple's platforms.
///
/// Observers of its parents are notified as well.
open class ObservableProgress: Progress, @unchecked Sendable {
  // Sendable: Foundation guards the counts; `whole` is set once, when the progress gets its parent.
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

  /// The keys that change with a count, in this progress and in its parents.
  private static let following = [
    "fractionCompleted", "isFinished", "finished", "isIndeterminate", "indeterminate",
    "localizedDescription", "localizedAdditionalDescription",
  ]

  private func changing(
    _ keys: [String], part: [String] = following, change: () -> Void
  ) {
    guard PlainObservers.areThere else { return change() }
    var all = (keys + part).map { (self, $0) }
    var next = part.isEmpty ? nil : whole
    while let progress = next {
      all += (["completedUnitCount"] + part).map { (progress, $0) }
      next = progress.whole
    }
    for (progress, key) in all { PlainObservers.willSet(progress, key: key) }
    change()
    for (progress, key) in all.reversed() { PlainObservers.didSet(progress, key: key) }
  }
}

/// Names for key paths of framework classes, which Swift does not know.
enum FrameworkKeyPaths {
  static let areNamed: Void = {
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

  /// The key paths of the subclass, which differ from those of `Progress`.
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
