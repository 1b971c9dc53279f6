import Foundation

/// A fault in a model file: file, line, entity, property and problem.
public struct ModelFileError: Error, Hashable, Sendable {
  /// The path of the file.
  public var file: String
  /// The line of the file, where the file has lines.
  public var line: Int?
  /// The entity whose description is wrong.
  public var entity: String?
  /// The property whose description is wrong.
  public var property: String?
  /// The problem: the form that was expected, and what the file has instead.
  public var problem: String

  package init(
    file: String, line: Int? = nil, entity: String? = nil, property: String? = nil, problem: String
  ) {
    self.file = file
    self.line = line
    self.entity = entity
    self.property = property
    self.problem = problem
  }
}

extension ModelFileError: CustomStringConvertible, LocalizedError {
  public var description: String { text(as: "error") }

  /// The description.
  public var errorDescription: String? { description }

  /// The text of a fault that does not prevent reading.
  package var warning: String { text(as: "warning") }

  /// The text without a severity, for programs that print one themselves.
  package var plain: String { text(as: nil) }

  /// The text in the form of compiler messages, so that tools can open the location.
  private func text(as severity: String?) -> String {
    let place = line.map { "\(file):\($0):1" } ?? file
    let subject = [entity.map { "entity “\($0)”" }, property.map { "property “\($0)”" }]
      .compactMap(\.self).joined(separator: ", ")
    return [place, severity, subject.isEmpty ? nil : subject, problem].compactMap(\.self)
      .joined(separator: ": ")
  }
}
