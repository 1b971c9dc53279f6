import ArgumentParser
import CoreData
import ListKit
import ListWeb

/// Runs an application: opens its store, and shows a window on it to every page that asks.
@MainActor
package struct Application {
  /// The name of the model, of the default store and of the pages.
  private let name: String
  private let bundle: Bundle
  private let prebuiltStore: String?
  private let savesEachEvent: Bool
  private let prepare: @Sendable (NSManagedObjectContext) throws -> [String]
  private let makeRoot: @MainActor (NSManagedObjectContext) throws -> UIViewController

  /// - Parameters:
  ///   - name: also the name of the model in the bundle.
  ///   - bundle: the application's own.
  ///   - prebuiltStore: the name of a store in the bundle that is copied when there is none yet, and
  ///     none is to be filled.
  ///   - savesEachEvent: a window saves what an event has changed before the page hears that it was
  ///     carried out.
  ///   - prepare: makes what every store has, in its first save, while no other process does, and puts right what is
  ///     wrong with a store and can be; run at each start, not on the main queue. What it returns is told on standard
  ///     error, and to the first window.
  ///   - makeRoot: what a window shows of its context.
  package init(
    name: String, bundle: Bundle, prebuiltStore: String? = nil, savesEachEvent: Bool = true,
    prepare: @escaping @Sendable (NSManagedObjectContext) throws -> [String] = { _ in [] },
    makeRoot: @escaping @MainActor (NSManagedObjectContext) throws -> UIViewController
  ) {
    self.name = name
    self.bundle = bundle
    self.prebuiltStore = prebuiltStore
    self.savesEachEvent = savesEachEvent
    self.prepare = prepare
    self.makeRoot = makeRoot
  }

  /// Shows windows until the process is told to stop; all windows have saved then. An error is written to
  /// standard error, and ends the process with a failure.
  ///
  /// - Parameters:
  ///   - fill: adds so many rows to an empty store, when the command line says so. Of several processes that start at
  ///     once one does; the others wait for its first save.
  ///   - work: goes on beside the windows once pages can be shown, and is cancelled when they end.
  package func run(
    _ options: ApplicationOptions,
    fill: @escaping @Sendable (NSManagedObjectContext, Int) throws -> Void,
    work: @escaping @Sendable (PersistentStack) async throws -> Void = { _ in }
  ) async throws {
    do {
      let seed = options.seed
      var opening = StoreOpening(
        place: try storePlace(options.store), modelURL: try modelURL, prepare: prepare)
      if seed > 0 {
        opening.fill = { try fill($0, seed) }
      } else {
        opening.prebuiltStore = try prebuiltStoreURL
      }
      let (stack, lines) = try await opening.run()
      for line in lines { say(line) }
      let news = News(lines)
      let host = WindowHost(title: name, options: options.windows, makeKey: { try key }) {
        try makeWindow(stack, $0, news: news.take())
      }
      var running: Task<Void, Never>?
      defer { running?.cancel() }
      try await host.run { running = Task { await carryOut(work, stack) } }
      running?.cancel()
      let isSaved = await SavingScene.finish()
      await running?.value
      if !isSaved { throw ExitCode.failure }
    } catch let code as ExitCode {
      throw code
    } catch {
      say(Self.text(of: error))
      throw ExitCode.failure
    }
  }

  /// What is told to the first window.
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

  /// The scene's delegate lives as long as its window.
  private func makeWindow(
    _ stack: PersistentStack, _ scene: UIWindowScene, news: [String]
  ) throws -> UIWindow {
    let context = stack.makeContext()
    let root = Self.navigable(try makeRoot(context))
    let saving = SavingScene(
      scene, context: context, rootViewController: root, savesEachEvent: savesEachEvent)
    saving.news = news
    scene.delegate = saving
    let window = UIWindow(windowScene: scene)
    window.rootViewController = root
    return window
  }

  /// Tabs have a navigation controller each; every other root gets one.
  private static func navigable(_ root: UIViewController) -> UIViewController {
    root is UITabBarController ? root : UINavigationController(rootViewController: root)
  }

  private var modelURL: URL {
    get throws {
      guard let url = bundle.url(forResource: name, withExtension: "momd") else {
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "\(name).momd"])
      }
      return url
    }
  }

  /// The same from start to start, so that pages that are open find their way back.
  private var key: AccessKey {
    get throws { try AccessKey(file: folder.appendingPathComponent("access-key")) }
  }

  /// In the user's data directory.
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

  /// What happened, why, and what to do, as far as the error knows it.
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
