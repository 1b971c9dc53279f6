import Foundation
import ListKit

/// Shows a window made of ListKit's views in a terminal.
///
///     let terminal = ListTerminal { scene in
///       let window = UIWindow(windowScene: scene)
///       window.rootViewController = UINavigationController(rootViewController: ListController())
///       return window
///     }
///     try await terminal.run()
///
/// The last line of the screen shows the keys that are valid now; `?` shows all of them. The screen
/// follows the size of the terminal, its colours (`NO_COLOR`, `COLORTERM`, `TERM`, and its answer
/// about the background) and its mouse. The terminal is restored in whatever way the process ends.
///
/// In plain mode screens are printed as lines, and commands are read line by line until the input
/// ends.
@MainActor
public final class ListTerminal {
  private let mode: TerminalMode
  private let input: Int32
  private let output: Int32
  private let environment: [String: String]
  private let company: Company?
  private let makeWindow: @MainActor (UIWindowScene) throws -> UIWindow
  private var session: TerminalSession?
  private var plain: PlainSession?
  private var device: TerminalDevice?
  private var signals: SignalPipe?
  private var isStopped = false
  /// In plain mode, the time after which continuing work is announced.
  var workPatience = WorkNotice.patience

  /// Makes a terminal.
  ///
  /// - Parameters:
  ///   - mode: the screen or plain mode. `.automatic` is the screen if input and output are a
  ///     terminal, else plain mode.
  ///   - input: the file descriptor for input; by default the standard input.
  ///   - output: the file descriptor for output; by default the standard output.
  ///   - environment: the variables for `TERM`, `COLORTERM`, `NO_COLOR` and the locale.
  ///   - makeWindow: called once with the window's scene, and makes the window, which is shown
  ///     afterwards. Set the scene's delegate to hear when the terminal is left or suspended.
  public convenience init(
    mode: TerminalMode = .automatic, input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    makeWindow: @escaping @MainActor (UIWindowScene) throws -> UIWindow
  ) {
    self.init(
      mode: mode, input: input, output: output, environment: environment, company: nil,
      makeWindow: makeWindow)
  }

  /// Makes a terminal.
  ///
  /// - Parameter company: the windows that the screen shows, such as those of pages. Plain mode is
  ///   not among them.
  package init(
    mode: TerminalMode, input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO,
    environment: [String: String] = ProcessInfo.processInfo.environment, company: Company?,
    makeWindow: @escaping @MainActor (UIWindowScene) throws -> UIWindow
  ) {
    self.company = company
    self.mode = mode
    self.input = input
    self.output = output
    self.environment = environment
    self.makeWindow = makeWindow
  }

  /// Whether a mode means the screen for these descriptors.
  public static func isScreen(
    _ mode: TerminalMode, input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool {
    switch mode {
    case .screen: true
    case .plain: false
    case .automatic:
      TerminalDevice.isTerminal(input) && TerminalDevice.isTerminal(output)
        && environment["TERM"] != "dumb"
    }
  }

  /// Shows the window until the user quits, the input ends, or SIGINT, SIGTERM or SIGHUP arrives.
  /// By then the window has entered the background and been disconnected, so that pending changes
  /// are saved. In plain mode, throws a `POSIXError` if the output cannot be written, as to a full
  /// disk.
  public func run() async throws {
    if isStopped { return }
    let scene = UIWindowScene()
    scene.locale = TerminalEnvironment(environment).locale
    let window = try makeWindow(scene)
    if Self.isScreen(mode, input: input, output: output, environment: environment) {
      await runScreen(scene, window: window)
    } else {
      let session = PlainSession(scene: scene, window: window, input: input, output: output)
      session.workPatience = workPatience
      plain = session
      try await session.run()
    }
  }

  /// Ends `run()`.
  public func stop() {
    isStopped = true
    signals?.close()
    plain?.stop()
  }

  /// Shows a message to the user: on the screen, until a key is pressed after five seconds, or as a
  /// line.
  public func tell(_ text: String) {
    session?.tell(text, staysUntilKey: true)
    plain?.say(text)
  }

  // MARK: Screen

  private func runScreen(_ scene: UIWindowScene, window: UIWindow) async {
    let device = TerminalDevice(input: input, output: output, environment: environment)
    let signals = SignalPipe([SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGINT, SIGHUP, SIGQUIT])
    let reader = TerminalReader(descriptor: input, signals: signals)
    (self.device, self.signals) = (device, signals)
    device.enter()
    device.write(TerminalModes.questions)
    let session = TerminalSession(
      scene: scene, window: window, environment: TerminalEnvironment(environment),
      size: device.size
    ) { device.write($0) }
    self.session = session
    session.company = company
    session.onRequest = { [weak self] request in self?.carryOut(request) }
    session.flush()
    reader.start()
    await serve(session, reader: reader, device: device)
    session.close()
    device.leave()
    signals.close()
  }

  private func serve(
    _ session: TerminalSession, reader: TerminalReader, device: TerminalDevice
  ) async {
    for await _ in reader.wakes {
      let news = reader.take()
      for signal in news.signals {
        switch signal {
        case SIGWINCH: session.resize(columns: device.size.columns, rows: device.size.rows)
        case SIGTSTP: suspend()
        case SIGCONT: resume()
        default: return
        }
      }
      typed += news.inputs
      if !typed.isEmpty, handling == nil { handling = Task { await handleTyped(session) } }
      if news.isAtEnd { break }
    }
    // Input that arrived before the end is still handled.
    await handling?.value
  }

  private var isQuitting = false
  /// Input that waits until the input before it has been handled.
  private var typed: [TerminalInput] = []
  private var handling: Task<Void, Never>?

  /// Handles input. Each portion waits until the one before it is handled and saved; signals are
  /// handled meanwhile.
  private func handleTyped(_ session: TerminalSession) async {
    while !typed.isEmpty, !isQuitting {
      let inputs = typed
      typed = []
      await EventGate.shared.run {
        // Changes in later turns that follow from this input are the user's own too.
        session.scene.following?.takeOver()
        session.isTaking = true
        session.handle(inputs)
      } finish: {
        await session.scene.finishPendingWork()
      } settled: {
        session.isTaking = false
      }
    }
    handling = nil
    // Ends the reading of input.
    if isQuitting { signals?.close() }
  }

  private func carryOut(_ request: TerminalSession.Request) {
    switch request {
    case .quit: isQuitting = true
    case .suspend: suspend()
    case .mouse(let isOn): device?.write(TerminalModes.mouse(isOn))
    }
  }

  /// Saves pending changes, restores the terminal for the shell, and stops the process until
  /// SIGCONT.
  private func suspend() {
    session?.scene.enterBackground()
    device?.leave()
    kill(getpid(), SIGSTOP)
  }

  private func resume() {
    guard let session, let device else { return }
    device.enter()
    session.scene.enterForeground()
    session.forgetScreen()
    session.resize(columns: device.size.columns, rows: device.size.rows)
  }
}
