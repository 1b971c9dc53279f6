import Foundation
import ProjectPorter
import SourcePorter

/// Constructs in the built sources that cannot be rewritten.
struct Remarks {
  let messages: [String]
  let hasErrors: Bool

  #if PortedSources
    init(_ porting: Porting) throws {
      let remarks = try porting.sources.flatMap { target -> [(path: String, remark: Remark)] in
        let sources = try target.files.map {
          (path: $0.url.path, text: try String(contentsOf: $0.url, encoding: .utf8))
        }
        let without = Dictionary(target.files.map { ($0.url.path, $0.without) }) { first, _ in first
        }
        let ported = SourcePorter.port(
          sources, conditions: Set(target.conditions), without: without)
        return zip(sources, ported).flatMap { source, ported in
          ported.remarks.map { (source.path, $0) }
        }
      }
      messages = remarks.map { $0.remark.text(path: porting.shortPath($0.path)) }
      hasErrors = remarks.contains { $0.remark.severity == .error }
    }
  #else
    init(_ porting: Porting) throws {
      messages = [
        "What is left out is all that this says: what cannot be rewritten in the rest is known with the trait PortedSources "
          + "(swift package --traits PortedSources port …), and else to the build."
      ]
      hasErrors = false
    }
  #endif
}
