import ArgumentParser
import CoreData
import CoreDataSync
import ListKit
import ListWeb

/// Runs an application: opens its store and shows a window for each page that connects.
@MainActor
package struct Application {
  /// The name of the model, of the default store and of the pages.
  private let name: String
  private let bundle: Bundle
  private let prebuiltStore: String?
  private let savesEachEvent: Bool
  private let prepare: @Sendable (NSManagedObjectContext) throws -> [String]
  private let sync: SyncConfiguration?
  private let mend: (@Sendable (NSManagedObjectContext) throws -> [String])?
  private let makeRoot: @MainActor (NSManagedObjectContext) throws -> UIViewController

  /// - Parameters:
  ///   - name: also the name of the model in the bundle.
  ///   - bundle: the application's own bundle.
  ///   - prebuiltStore: the name of a store in the bundle that is copied if there is none yet and
  ///     no seed is requested.
  ///   - savesEachEvent: whether a window saves the changes of an event before the page is notified
  ///     that the event was handled.
  ///   - prepare: creates what every store contains, in its first save, while no other process
  ///     does, and repairs damage of the store. Run at each start, not on the main queue. The
  ///     messages it returns are written to standard error and shown by the first window.
  ///   - sync: how the store is synced, if the command line requests it.
  ///   - mend: repairs what devices have made of the store together, each by itself: called after
  ///     changes of others, not on the main queue. Saves; returns messages for the windows.
  ///   - makeRoot: creates the root controller of a window with the window's context.
  package init(
    name: String, bundle: Bundle, prebuiltStore: String? = nil, savesEachEvent: Bool = true,
    prepare: @escaping @Sendable (NSManagedObjectContext) throws -> [String] = { _ in [] },
    sync: SyncConfiguration? = nil,
    mend: (@Sendable (NSManagedObjectContext) throws -> [String])? = nil,
    makeRoot: @escaping @MainActor (NSManagedObjectContext) throws -> UIViewController
  ) {
    self.name = name
    self.bundle = bundle
    self.prebuiltStore = prebuiltStore
    self.savesEachEvent = savesEachEvent
    self.prepare = prepare
    self.sync = sync
    self.mend = mend
    self.makeRoot = makeRoot
  }

  /// Shows windows until the process is asked to stop. All windows have saved then. An error is
  /// written to standard error and ends the process with a failure.
  ///
  /// - Parameters:
  ///   - fill: adds so many rows to an empty store, if the command line requests it. If several
  ///     processes start at once, one fills the store; the others wait for its first save.
  ///   - syncing: where the store is synced.
  ///   - work: runs beside the windows once pages can be shown; cancelled when they end.
  package func run(
    _ options: ApplicationOptions, syncing: SyncOptions? = nil,
    fill: @escaping @Sendable (NSManagedObjectContext, Int) throws -> Void,
    work: @escaping @Sendable (PersistentStack) async throws -> Void = { _ in }
  ) async throws {
    PrivateFiles.begin()
    do {
      let seed = options.seed
      let target = try syncing?.target()
      let place = try storePlace(options.store)
      if target != nil, case .server = place {
        throw Refusal("--sync takes a store in a file: who shares a server needs no sync.")
      }
      var opening = StoreOpening(place: place, modelURL: try modelURL, prepare: prepare)
      if seed > 0 {
        opening.fill = { try fill($0, seed) }
      } else {
        opening.prebuiltStore = try prebuiltStoreURL
      }
      let (stack, lines) = try await opening.run()
      for line in lines { say(line) }
      let news = News(lines)
      let sync = target.flatMap { makeSync($0, stack) }
      let host = WindowHost(title: name, options: options.windows, makeKey: key) {
        try makeWindow(stack, $0, news: news.take(), sync)
      }
      var running: Task<Void, Never>?
      defer { running?.cancel() }
      try await host.run {
        running = Task {
          await sync?.start()
          await carryOut(work, stack)
        }
      }
      running?.cancel()
      let isSaved = await SavingScene.finish()
      await running?.value
      await sync?.close()
      await stack.close()
      if !isSaved { throw ExitCode.failure }
    } catch let code as ExitCode {
      throw code
    } catch {
      say(Self.text(of: error))
      throw ExitCode.failure
    }
  }

  /// Messages for the first window.
  @MainActor private final class News {
    private var texts: [String]
    init(_ texts: [String]) { self.texts = texts }

    func take() -> [String] {
      defer { texts = [] }
      return texts
    }
  }

  private func carryOut(
    _ work: @Sendable (PersistentStack) async throws -> Void, _ stack: PersistentStack
  ) async {
    do { try await work(stack) } catch is CancellationError {} catch { say(Self.text(of: error)) }
  }

  private func say(_ text: String) {
    let command = URL(fileURLWithPath: CommandLine.arguments[0]).lastPathComponent
    FileHandle.standardError.write(Data("\(command): \(text)\n".utf8))
  }

  /// Creates a window. The scene retains its delegate, so that lives as long as the window.
  private func makeWindow(
    _ stack: PersistentStack, _ scene: UIWindowScene, news: [String], _ sync: StoreSync?
  ) throws -> UIWindow {
    let context = stack.makeContext()
    let root = Self.navigable(try makeRoot(context))
    let saving = SavingScene(
      scene, context: context, rootViewController: root, savesEachEvent: savesEachEvent)
    saving.news = news + (sync?.takeNews() ?? [])
    saving.syncLine = sync?.add(to: root)
    scene.delegate = saving
    let window = UIWindow(windowScene: scene)
    window.rootViewController = root
    return window
  }

  private func makeSync(_ target: SyncTarget, _ stack: PersistentStack) -> StoreSync? {
    sync.map { StoreSync(target, stack: stack, configuration: $0, mend: mend, say: say) }
  }

  /// Embeds the root in a navigation controller, unless it has tabs or columns, each with its own.
  private static func navigable(_ root: UIViewController) -> UIViewController {
    root is UITabBarController || root is ColumnsController
      ? root : UINavigationController(rootViewController: root)
  }

  private var modelURL: URL {
    get throws {
      guard let url = bundle.url(forResource: name, withExtension: "momd") else {
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "\(name).momd"])
      }
      return url
    }
  }

  /// The access key, stable across starts, so that open pages can reconnect.
  private func key(isNew: Bool) throws -> AccessKey {
    try AccessKey(file: folder.appendingPathComponent("access-key"), isNew: isNew)
  }

  /// The application's folder in the user's data directory.
  private var folder: URL {
    let manager = FileManager.default
    let data = manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
    return (data ?? manager.homeDirectoryForCurrentUser)
      .appendingPathComponent(name, isDirectory: true)
  }

  private func storePlace(_ text: String?) throws -> StorePlace {
    if let text { return try StorePlace(text) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return .file(folder.appendingPathComponent("\(name).sqlite"))
  }

  private var prebuiltStoreURL: URL? {
    get throws {
      guard let prebuiltStore else { return nil }
      guard let source = bundle.url(forResource: prebuiltStore, withExtension: nil) else {
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: prebuiltStore])
      }
      return source
    }
  }

  /// The description, reason and advice of an error, as far as it has them.
  private static func text(of error: any Error) -> String {
    let error = error as NSError
    let parts = [
      error.localizedDescription, error.localizedFailureReason,
      error.localizedRecoverySuggestion ?? advice(error),
    ]
    return parts.compactMap { $0 }.reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    .joined(separator: " ")
  }

  private static func advice(_ error: NSError) -> String? {
    guard error.domain == NSCocoaErrorDomain,
      error.code == NSPersistentStoreIncompatibleVersionHashError
    else { return nil }
    return "The store is of another application, or of another version of this one; it was left as "
      + "it is. Choose another place with --store."
  }
}
