import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// One window: a context of its own, what the window shows of it, and the moments to save it.
@MainActor
package final class SavingScene: NSObject, UISceneDelegate {
  package let rootViewController: UIViewController
  let context: NSManagedObjectContext
  private let saveContext: @MainActor (NSManagedObjectContext) throws -> Void
  private(set) weak var scene: UIScene?
  private var isSaveScheduled = false
  private(set) var isWaiting = false
  /// What sync says in the window, which lives as long as the scene.
  var syncLine: AnyObject?
  /// Told once somebody looks at the window.
  var news: [String] = []
  private var changes: NotificationObservation?
  private var skips: NotificationObservation?
  let deeds: RecentDeeds
  /// A save has failed, and none has succeeded since.
  private(set) var isFailing = false
  /// Why what windows show is not saved: all windows say so until it is.
  private static var failures: [ObjectIdentifier: String] = [:] {
    didSet { UIApplication.shared.waitingText = failures.values.sorted().first }
  }
  private var isRetryScheduled = false

  /// - Parameters:
  ///   - scene: the one that the user's deeds are answered in.
  ///   - save: saves the context; nil where nothing else is to be done than that. Then whoever
  ///     saves the context by itself need not wait for other programs.
  package init(
    _ scene: UIScene, context: NSManagedObjectContext, rootViewController: UIViewController,
    savesEachEvent: Bool = true,
    save: (@MainActor (NSManagedObjectContext) throws -> Void)? = nil
  ) {
    self.scene = scene
    self.context = context
    saveContext = save ?? Self.save
    deeds = RecentDeeds(of: context) { [weak rootViewController] in
      rootViewController?.showToast($0)
    }
    self.rootViewController = rootViewController
    super.init()
    if savesEachEvent { observeChanges() }
    (context as? WindowContext)?.savesEachEvent = savesEachEvent && save == nil
    skips = NotificationObservation(
      of: NSManagedObjectContext.didSkipChangesOfUndoNotification, object: context
    ) { [weak self] _ in self?.tellSkipped() }
    let policy = context.mergePolicy as? WindowMergePolicy
    policy?.tell = { [weak rootViewController] in rootViewController?.showToast($0) }
    policy?.ask = { [weak self] in self?.ask($0) }
    if save == nil {
      (context as? WindowContext)?.onLocked = { [weak self] in self?.waitAndSave() }
    }
    #if !canImport(UIKit)
      takeOverInTurn()
    #endif
  }

  /// Throws where the store is locked.
  private static func save(_ context: NSManagedObjectContext) throws {
    if let context = context as? WindowContext {
      try context.saveOrThrow()
    } else {
      try context.save()
    }
  }

  private func observeChanges() {
    changes = NotificationObservation(
      of: .NSManagedObjectContextObjectsDidChange, object: context
    ) { [weak self] _ in self?.saveAtEndOfTurn() }
  }

  /// Once for all changes of an event: by the time that the page hears that it was carried out, it
  /// is in the store, and no kill can take it away.
  private func saveAtEndOfTurn() {
    guard context.hasChanges, !isSaveScheduled else { return }
    isSaveScheduled = true
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated {
        self?.isSaveScheduled = false
        self?.save()
      }
    }
  }

  private func save() {
    // Somebody else may have saved them, or an undo has taken them back.
    guard context.hasChanges else { return tellRecovery() }
    if isWaiting { return }
    do {
      try saveContext(context)
      tellRecovery()
    } catch  where StoreLock.isCause(of: error) && context is WindowContext {
      waitAndSave()
    } catch {
      tell(error)
    }
  }

  /// The answer to the user's deed waits for it, too.
  private func waitAndSave() {
    guard !isWaiting, let lock = (context as? WindowContext)?.lock else { return }
    isWaiting = true
    // The scene may go meanwhile: what is to be saved is held until it is.
    scene?.pendingWork = Task {
      do {
        try await lock.waiting { if context.hasChanges { try saveContext(context) } }
      } catch {
        tell(error)
      }
      isWaiting = false
      Self.waiting -= 1
    }
    Self.waiting += 1
  }

  /// Somebody else's value was written over before anybody here had seen it: the user chooses, as
  /// in a form.
  private func ask(_ overwriting: Overwriting) {
    let (theirs, mine) = overwriting.texts(in: rootViewController.locale)
    var presenter = rootViewController
    while let presented = presenter.presentedViewController { presenter = presented }
    let name = overwriting.object.attributeTexts
    guard !(presenter is UIAlertController) else {
      return rootViewController.showToast(
        overwriting.isMove
          ? "Somebody else moved “\(name)” to “\(theirs)”. You moved it to “\(mine)”, where it is now."
          : "\(overwriting.label) of “\(name)”: somebody else made it “\(theirs)”. You made it "
            + "“\(mine)”, which it is now.")
    }
    let question =
      overwriting.isMove
      ? FieldConflict(moved: name, theirs: theirs, mine: mine)
      : FieldConflict(overwriting.label, theirs: theirs, mine: mine)
    question.ask(on: presenter) { [weak self] choice in
      if choice == .theirs { self?.takeTheirs(overwriting) }
    }
  }

  private func takeTheirs(_ overwriting: Overwriting) {
    guard overwriting.takeTheirs() else {
      let theirs = overwriting.texts(in: rootViewController.locale).theirs
      return rootViewController.showToast("“\(theirs)” was deleted meanwhile.")
    }
    context.processPendingChanges()
    guard context.hasChanges else { return }
    context.undoManager?.setActionName(
      "Keep Their \(overwriting.isMove ? "Move" : overwriting.label)")
    save()
  }

  private func tell(_ error: any Error) {
    let text = "Not saved: \(words(for: error)) The changes are still here."
    // What was typed is for the user to mend; a disk or a file may be mended by somebody else.
    guard !isOfValues(error) else { return rootViewController.showToast(text) }
    Self.failures[ObjectIdentifier(self)] = text
    tryAgainSoon()
  }

  private func isOfValues(_ error: any Error) -> Bool {
    let code = (error as NSError).code
    return (NSManagedObjectValidationError...NSValidationInvalidURIError).contains(code)
  }

  /// How long until a failed save is tried again.
  private static let pause = Duration.seconds(8)

  private func tryAgainSoon() {
    isFailing = true
    guard !isRetryScheduled else { return }
    isRetryScheduled = true
    Task { [weak self] in
      // Ended by nobody: whoever is gone by then is not there any more.
      try? await Task.sleep(for: Self.pause)
      guard let self else { return }
      isRetryScheduled = false
      if isFailing { save() }
    }
  }

  private func tellRecovery() {
    guard isFailing else { return }
    isFailing = false
    Self.failures[ObjectIdentifier(self)] = nil
    rootViewController.showToast("Everything is saved now.")
  }

  // MARK: - What an undo has left

  private func tellSkipped() {
    var told: [String] = []
    for change in context.changesSkippedByUndo {
      if let words = skipWords(change), !told.contains(words) {
        told.append(words)
      }
    }
    for words in told.prefix(3) { rootViewController.showToast(words) }
  }

  private func skipWords(_ change: SkippedChange) -> String? {
    guard let object = try? context.existingObject(with: change.objectID), !object.isDeleted else {
      return "What was changed then is gone: somebody else has deleted it."
    }
    let name = "“\(object.attributeTexts)”"
    guard let key = change.key else {
      return "\(name) stays as it is: somebody else has changed it since."
    }
    if let attribute = object.entity.attributesByName[key] {
      guard attribute.isToldWhenKept else { return nil }
      return
        "\(name) keeps its \(attribute.label.lowercased()): somebody else has changed it since."
    }
    guard object.entity.relationshipsByName[key]?.isToMany == false else { return nil }
    return "\(name) stays where it is: somebody else has moved it since."
  }

  // MARK: - The end

  /// How many scenes wait for another program.
  private static var waiting = 0
  /// So long the end of the process waits for it.
  private static let lastPatience = Duration.seconds(1.5)

  /// Before the process ends: what still waits to be saved is waited for a little longer, and then
  /// given up. Returns whether everything was saved; what was not has a line on standard error.
  package static func finish() async -> Bool {
    let deadline = ContinuousClock.now + lastPatience
    while waiting > 0, ContinuousClock.now < deadline {
      // Ended by nobody: the loop ends by itself.
      try? await Task.sleep(for: .milliseconds(10))
    }
    if waiting > 0 { lost.append("another program was still writing to the store.") }
    for words in lost { FileHandle.standardError.write(Data("Not saved: \(words)\n".utf8)) }
    return lost.isEmpty
  }

  /// So many rows are named whose changes are lost.
  private static let mostNamed = 50

  /// Why the last saves of windows that are gone have failed.
  private static var lost: [String] = []

  private func saveForTheLastTime() {
    save()
    guard context.hasChanges, !isWaiting else { return }
    let changed = context.insertedObjects.union(context.updatedObjects)
      .union(context.deletedObjects)
    let names = changed.map { "“\($0.attributeTexts)”" }.sorted()
    do { try saveContext(context) } catch {
      let more = names.count > Self.mostNamed ? " and \(names.count - Self.mostNamed) more" : ""
      Self.lost.append(
        "\(words(for: error)) Changes of \(names.count) row\(names.count == 1 ? "" : "s") are lost: "
          + "\(names.prefix(Self.mostNamed).joined(separator: ", "))\(more).")
    }
  }

  package func sceneDidBecomeActive(_ scene: UIScene) {
    for text in news { rootViewController.showToast(text) }
    news = []
  }

  package func sceneDidEnterBackground(_ scene: UIScene) { save() }
  package func sceneDidDisconnect(_ scene: UIScene) {
    saveForTheLastTime()
    Self.failures[ObjectIdentifier(self)] = nil
  }
}
