import Foundation

/// What is built, what is left out and why.
public struct PortReport: CustomStringConvertible {
  public struct Target {
    public let name: String
    public let isTests: Bool
    public let built: Int
    public let files: Int
    public let models: [String]
    public let leftOut: [LeftOut]
  }

  public let targets: [Target]
  private let folder: URL

  init(_ porting: Porting) {
    folder = porting.project.folder
    targets = porting.judgements.map { judgement in
      Target(
        name: judgement.target.module, isTests: judgement.target.kind == .tests,
        built: judgement.kept.count, files: judgement.kept.count + judgement.leftOut.count,
        models: porting.models(judgement).map(\.lastPathComponent), leftOut: judgement.leftOut)
    }
  }

  /// Whether something that works on Core Data is left out.
  public var leavesCoreDataOut: Bool {
    targets.contains { $0.leftOut.contains(where: \.importsCoreData) }
  }

  public var description: String {
    var lines: [String] = []
    for target in targets {
      lines += target.leftOut.sorted { ($0.file.path, $0.line ?? 0) < ($1.file.path, $1.line ?? 0) }
        .map { left in
          "\(path(left.file))\(left.line.map { ":\($0)" } ?? ""): \(left.text)"
        }
    }
    for target in targets {
      let models = target.models.isEmpty ? "" : ", with \(target.models.joined(separator: ", "))"
      lines.append(
        "\(target.name)\(target.isTests ? " (tests)" : ""): \(target.built) of \(target.files) files are built\(models)"
      )
      for reason in LeftOut.Reason.allCases {
        let left = target.leftOut.filter { $0.reason == reason }
        guard !left.isEmpty else { continue }
        let count = left.count(where: \.importsCoreData)
        lines.append(
          "  \(left.count) \(reason.rawValue)"
            + (count > 0 ? " (\(count) of them import Core Data)" : ""))
      }
    }
    return lines.joined(separator: "\n")
  }

  private func path(_ file: URL) -> String {
    let root = folder.path + "/"
    return file.path.hasPrefix(root) ? String(file.path.dropFirst(root.count)) : file.path
  }
}
