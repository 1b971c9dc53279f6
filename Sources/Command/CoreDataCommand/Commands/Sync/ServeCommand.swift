import ArgumentParser
import Foundation
import StoreTool
import SyncServer
import Synchronization

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serves until it is interrupted; may be left out.")

  @OptionGroup var ledger: LedgerOptions

  @Option(
    help: ArgumentHelp("Where to listen; port 0 takes a free one.", valueName: "host:port"))
  var listen = "127.0.0.1:8090"

  @Option(help: ArgumentHelp("The file of keys.", valueName: "file"), completion: .file())
  var keys: String

  @Option(
    help: ArgumentHelp(
      "Forget what was deleted so long ago; devices that were away for longer attach again.",
      valueName: "days"))
  var horizon = 180

  func validate() throws {
    guard Self.address(listen) != nil else {
      throw ValidationError("--listen takes HOST:PORT, as in 127.0.0.1:8090 or [::1]:8090.")
    }
    guard (1...36_500).contains(horizon) else {
      throw ValidationError("--horizon takes a number of days from 1 to 36500.")
    }
  }

  func run() async throws {
    guard let (host, port) = Self.address(listen) else { return }
    // What everybody's devices hold is for nobody else to read.
    umask(0o077)
    let file = try KeyFile(URL(fileURLWithPath: keys), forTool: ())
    var limits = SyncServer.Limits()
    limits.horizon = .seconds(86_400 * horizon)
    let ledger = try ledger.open(isMade: true)
    let server = SyncServer(ledger: ledger, keys: file, limits: limits)
    let failure = Mutex<ToolError?>(nil)
    do {
      try await server.run(host: host, port: port) { port in
        let shown = host.contains(":") ? "[\(host)]" : host
        // Whoever has closed the standard output does not want to know.
        guard fcntl(STDOUT_FILENO, F_GETFD) >= 0 else { return }
        do { try StandardOutput.print("Sync is at http://\(shown):\(port)") } catch {
          failure.withLock { $0 = ToolError(error) }
          // As if somebody had ended the server.
          kill(getpid(), SIGTERM)
        }
      }
    } catch let error as SyncServerError {
      throw ToolError(.cannotCreate, description: "\(error)")
    }
    // Of a server that is stopped the file alone is a whole copy.
    do { try ledger.close() } catch { throw ToolError(error) }
    if let failure = failure.withLock(\.self) { throw failure }
  }

  /// The host and the port of "host:port" or "[address]:port".
  private static func address(_ text: String) -> (String, Int)? {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (0..<65536).contains(port)
    else { return nil }
    let host = text[..<colon].trimmingCharacters(in: ["[", "]"])
    return host.isEmpty ? nil : (host, port)
  }
}

struct LedgerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The server's store: a file, or the address of a server: postgresql://user@host/database.",
      valueName: "store"),
    completion: .file())
  var store: String

  /// - Parameter isMade: whether a store that is not there is made.
  func open(isMade: Bool = false) throws -> SyncLedger {
    let url = try URL(store: store)
    if !isMade { _ = try StoreFormat(at: url) }
    do { return try SyncLedger(at: url) } catch let error as CocoaError
      where error.code == .persistentStoreIncompatibleVersionHash
    {
      throw ToolError(
        .badData, description: "\(store) is a store of something else than a sync server.")
    } catch {
      throw ToolError(error)
    }
  }
}

extension KeyFile {
  /// With the command's errors.
  convenience init(_ file: URL, forTool: ()) throws {
    do { try self.init(file) } catch let error as KeyFileError {
      throw ToolError(.badData, description: "\(file.path): \(error)")
    } catch {
      throw ToolError(
        .noInput,
        description: "The keys at \(file.path) cannot be read: \(error.localizedDescription)")
    }
  }
}
