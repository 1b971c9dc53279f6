import Foundation

/// Declarations and files that the compiler refused although the port kept them, with its messages;
/// they are left out too. Judging by names alone misses such cases.
///
/// They are stored in the package, so that it is written identically until the next `--build`.
public struct Refusals: Equatable, Sendable {
  static let fileName = "refused.tsv"

  /// Messages by file (paths as in reports) and by declaration path; "" stands for the whole file.
  private var messages: [String: [String: String]] = [:]
  /// The compiler's lines, as `messages`; a list of an older version has none.
  private var lines: [String: [String: Int]] = [:]

  /// Creates an empty set.
  public init() {}

  /// Reads the refusals recorded in a package; empty if it has none.
  /// - Throws: `PortError` if the file cannot be read or a line has another form.
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
      let (path, line) = Self.place(parts[0])
      messages[path, default: [:]][String(parts[1])] = String(parts[2])
      lines[path, default: [:]][String(parts[1])] = line
    }
  }

  /// The file and the line of `Sources/Book.swift:12`.
  private static func place(_ text: Substring) -> (path: String, line: Int?) {
    guard let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...])
    else { return (String(text), nil) }
    return (String(text[..<colon]), line)
  }

  var isEmpty: Bool { messages.isEmpty }

  /// The number of refused declarations and files.
  var count: Int { messages.values.reduce(0) { $0 + $1.count } }

  func of(_ path: String) -> [String: String] { messages[path] ?? [:] }

  /// The name under which a package as a whole is refused.
  static func name(ofPackage identity: String) -> String { "package \(identity)" }

  /// Why a package as a whole is refused; nil if it is not.
  func ofPackage(_ identity: String) -> String? {
    of(Self.name(ofPackage: identity))[""]
  }

  /// The line at which the compiler refused a declaration, or with "" the file.
  func line(of path: String, _ declaration: String) -> Int? { lines[path]?[declaration] }

  /// Adds a refusal; the first message for a declaration is kept.
  /// - Returns: true if the refusal is new.
  mutating func add(
    _ message: String, file: String, declaration: String = "", line: Int? = nil
  ) -> Bool {
    guard messages[file]?[declaration] == nil else { return false }
    let text = message.replacing("\t", with: " ").replacing("\n", with: " ")
    messages[file, default: [:]][declaration] = text
    lines[file, default: [:]][declaration] = line
    return true
  }

  /// The text of the file in the package: a line for each refusal, with tabs between file with
  /// line, declaration and message.
  var text: String {
    let lines = messages.sorted { $0.key < $1.key }.flatMap { file, declarations in
      declarations.sorted { $0.key < $1.key }.map {
        "\(file)\(line(of: file, $0.key).map { ":\($0)" } ?? "")\t\($0.key)\t\($0.value)"
      }
    }
    return "# \(PackageFiles.mark)\n" + lines.map { $0 + "\n" }.joined()
  }
}
