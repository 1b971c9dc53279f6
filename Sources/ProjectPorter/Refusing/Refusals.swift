import Foundation

/// What the compiler refuses of sources that were kept, and goes with what is left out: names do not tell everything.
///
/// They are kept in the package, so that it is written alike until somebody builds it anew.
public struct Refusals: Equatable, Sendable {
  static let fileName = "refused.tsv"

  /// By files, as reports have their paths; in each by the paths of declarations, "" for the whole file.
  private var messages: [String: [String: String]] = [:]

  public init() {}

  /// Reads what a package says; nothing where it says nothing.
  init(of package: URL) throws {
    let file = package.appendingPathComponent(Self.fileName)
    guard file.isThere else { return }
    let text: String
    do {
      text = try String(contentsOf: file, encoding: .utf8)
    } catch {
      throw PortError("\(file.path): cannot be read: \(error.localizedDescription)")
    }
    for (index, line) in text.split(separator: "\n").enumerated() where !line.hasPrefix("#") {
      let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else {
        throw PortError(
          "\(file.path):\(index + 1): expected a file, a declaration and a message with tabs between them, found \"\(line)\"; "
            + "`swift package port … --build` writes it anew")
      }
      messages[String(parts[0]), default: [:]][String(parts[1])] = String(parts[2])
    }
  }

  var isEmpty: Bool { messages.isEmpty }

  /// How many declarations and files are refused.
  var count: Int { messages.values.reduce(0) { $0 + $1.count } }

  func of(_ path: String) -> [String: String] { messages[path] ?? [:] }

  /// Adds one; the first message is the one that counts.
  /// - Returns: whether it is new.
  mutating func add(_ message: String, file: String, declaration: String = "") -> Bool {
    guard messages[file]?[declaration] == nil else { return false }
    let line = message.replacing("\t", with: " ").replacing("\n", with: " ")
    messages[file, default: [:]][declaration] = line
    return true
  }

  /// As the package keeps them.
  var text: String {
    let lines = messages.sorted { $0.key < $1.key }.flatMap { file, declarations in
      declarations.sorted { $0.key < $1.key }.map { "\(file)\t\($0.key)\t\($0.value)" }
    }
    return "# \(PackageFiles.mark)\n" + lines.map { $0 + "\n" }.joined()
  }
}
