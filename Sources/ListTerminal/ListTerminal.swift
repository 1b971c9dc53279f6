import Foundation
import ListKit

/// Draws a window made of ListKit's views in a terminal.
///
///     let terminal = ListTerminal { scene in
///       let window = UIWindow(windowScene: scene)
///       window.rootViewController = UINavigationController(rootViewController: ListController())
///       return window
///     }
///     try await terminal.run()
///
/// The screen has the keys that are valid now on its last line, and all of them under `?`. It follows
/// the size of the terminal, its colours (`NO_COLOR`, `COLORTERM`, `TERM`, and what it answers about
/// its background) and its mouse. Whatever way the process ends, the terminal is brought back.
///
/// In plain mode screens are printed as lines and commands are read by line, until the input ends.
@MainActor
public final class ListTerminal {
  private let mode: TerminalMode
  private let input: Int32
  private let output: Int32
  private let environment: [String: String]
  private let makeWindow: @MainActor (UIWindowScene) throws -> UIWindow
  private var session: TerminalSession?
  private var plain: PlainSession?
  private var device: TerminalDevice?
  private var signals: SignalPipe?
  private var isStopped = false
  /// In plain mode, how long work goes on before it is spoken of.
  var workPatience = WorkNotice.patience

  /// - Parameters:
  ///   - mode: `.automatic` is the screen where there is a terminal, and plain mode elsewhere.
  ///   - input, output: file descriptors, standard input and output unless given.
  ///   - environment: where `TERM`, `COLORTERM`, `NO_COLOR` and the locale are looked up.
  ///   - makeWindow: called once, with the window's scene; set the scene's delegate to hear when the
  ///     terminal is left or suspended. The window is made visible afterwards.
  public init(
    mode: TerminalMode = .automatic, input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    makeWindow: @escaping @MainActor (UIWindowScene) throws -> UIWindow
  ) {
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

  /// Shows the window until the user quits, the input ends, or SIGINT, SIGTERM or SIGHUP; the window
  /// has then entered the background and been disconnected, so that what is pending is saved.
  public func run() async throws {
    if isStopped { return }
    let scene = UIWindowScene()
    let window = try makeWindow(scene)
    if Self.isScreen(mode, input: input, output: output, environment: environment) {
      await runScreen(scene, window)
    } else {
      let session = PlainSession(scene: scene, window: window, input: input, output: output)
      session.workPatience = workPatience
      plain = session
      await session.run()
    }
  }

  /// Ends `run`.
  public func stop() {
    isStopped = true
    signals?.close()
    plain?.stop()
  }

  /// Says something to the user on the screen, or as a line.
  public func tell(_ text: String) {
    session?.tell(text)
    plain?.say(text)
  }

  // MARK: Screen

  private func runScreen(_ scene: UIWindowScene, _ window: UIWindow) async {
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
    session.onRequest = { [weak self] request in self?.carryOut(request) }
    session.flush()
    reader.start()
    await serve(session, reader, device)
    session.close()
    device.leave()
    signals.close()
  }

  private func serve(
    _ session: TerminalSession, _ reader: TerminalReader, _ device: TerminalDevice
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
    // What was typed before the end counts.
    await handling?.value
  }

  private var isQuitting = false
  /// What waits until that before it is done.
  private var typed: [TerminalInput] = []
  private var handling: Task<Void, Never>?

  /// Carries out what was typed, each share of it when that before it is done and saved. Signals are heard meanwhile.
  private func handleTyped(_ session: TerminalSession) async {
    while !typed.isEmpty, !isQuitting {
      let inputs = typed
      typed = []
      await EventGate.shared.run {
        // What follows from it in later turns is the user's doing too.
        session.isTaking = true
        session.handle(inputs)
      } finish: {
        await session.scene.finishPendingWork()
      } settled: {
        session.isTaking = false
      }
    }
    handling = nil
    // No more is read.
    if isQuitting { signals?.close() }
  }

  private func carryOut(_ request: TerminalSession.Request) {
    switch request {
    case .quit: isQuitting = true
    case .suspend: suspend()
    case .mouse(let isOn): device?.write(TerminalModes.mouse(isOn))
    }
  }

  /// What is pending is saved, the terminal is the shell's again, and the process stops until SIGCONT.
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
