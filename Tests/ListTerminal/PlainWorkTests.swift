import Foundation
import ListKit
import ListSnapshots
import Testing

@testable import ListTerminal

/// Work that takes longer, in plain mode: it is said that it goes on, and then what it has brought.
///
/// The work of these tests ends when it has been spoken of.
@MainActor
@Suite(.serialized) struct PlainWorkTests {
  /// What is printed for lines of input. A line is told to `onLine`, on a thread of its own.
  private func run(
    _ root: UIViewController, _ lines: [String], patience: DispatchTimeInterval? = nil,
    onLine: @escaping @Sendable (String) -> Void
  ) async throws -> [String] {
    let (input, output) = (Pipe(), Pipe())
    let terminal = ListTerminal(
      mode: .plain, input: input.fileHandleForReading.fileDescriptor,
      output: output.fileHandleForWriting.fileDescriptor
    ) { scene in
      let window = UIWindow(windowScene: scene)
      window.rootViewController = UINavigationController(rootViewController: root)
      return window
    }
    if let patience { terminal.workPatience = patience }
    let handle = output.fileHandleForReading
    let (printed, continuation) = AsyncStream.makeStream(of: String.self)
    // No task: those are few, and the ones of other tests may wait for the main queue.
    Thread.detachNewThread {
      var rest = Data()
      while case let data = handle.availableData, !data.isEmpty {
        rest += data
        while let end = rest.firstIndex(of: 0x0A) {
          let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
          rest = rest[rest.index(after: end)...]
          continuation.yield(line)
          onLine(line)
        }
      }
      continuation.finish()
    }
    try input.fileHandleForWriting.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
    try input.fileHandleForWriting.close()
    try await terminal.run()
    try output.fileHandleForWriting.close()
    var all: [String] = []
    for await line in printed { all.append(line) }
    return all
  }

  @Test func whatIsFetchedIsPrintedOnceItIsThereAndTheNextLineWaits() async throws {
    let controller = WorkingController()
    let lines = try await run(controller, ["load", "open 2"]) { line in
      guard line == "Working…" else { return }
      Task { @MainActor in controller.finish(["Ant", "Bee"]) }
    }
    let start = try #require(lines.firstIndex(of: "Working…"))
    #expect(lines[start...].contains("1. Ant") && lines[start...].contains("2. Bee"))
    #expect(!lines[..<start].contains("1. Ant"))
    #expect(controller.events == ["open Bee"])
    #expect(!lines.contains("Done."))
  }

  @Test func workThatShowsNothingIsSaidToBeDone() async throws {
    let controller = WorkingController()
    let lines = try await run(controller, ["load"]) { line in
      guard line == "Working…" else { return }
      Task { @MainActor in controller.finish(nil) }
    }
    #expect(lines.last == "Done." && lines.count { $0 == "Working…" } == 1)
  }

  @Test func aBusyMainQueueIsSpokenOfToo() async throws {
    let controller = WorkingController()
    let release = controller.release
    let lines = try await run(controller, ["compute"]) { line in
      if line == "Working…" { release.signal() }
    }
    #expect(lines.suffix(2) == ["Working…", "Done."])
    #expect(controller.events == ["compute"])
  }

  @Test func whatIsDoneAtOnceIsNotSpokenOf() async throws {
    let controller = WorkingController()
    controller.isQuick = true
    // Even a busy machine does it in an hour.
    let lines = try await run(controller, ["load", "open 1"], patience: .seconds(3600)) { _ in }
    #expect(!lines.contains("Working…") && !lines.contains("Done."))
    #expect(controller.events == ["open Quick"])
  }
}

/// Rows that come with some work, and work without rows.
private final class WorkingController: UITableViewController {
  private var rows: [String] = []
  var events: [String] = []
  var isQuick = false
  /// Ends what keeps the main queue busy.
  let release = DispatchSemaphore(value: 0)

  init() {
    super.init(style: .plain)
    title = "Work"
    navigationItem.rightBarButtonItems = [
      UIBarButtonItem(
        primaryAction: UIAction(title: "Load") { [weak self] _ in self?.load() }),
      UIBarButtonItem(
        primaryAction: UIAction(title: "Compute") { [weak self] _ in self?.compute() }),
    ]
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
  }

  private func load() {
    showActivity(true)
    if isQuick { finish(["Quick"]) }
  }

  func finish(_ rows: [String]?) {
    if let rows {
      self.rows = rows
      tableView.reloadData()
    }
    showActivity(false)
  }

  private func compute() {
    events.append("compute")
    release.wait()
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    rows.count
  }
  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    cell.textLabel?.text = rows[indexPath.row]
    return cell
  }
  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    events.append("open \(rows[indexPath.row])")
  }
}
