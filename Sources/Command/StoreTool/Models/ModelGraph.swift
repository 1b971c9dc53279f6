import CoreData

/// A drawing of a model: entities as boxes, relationships and inheritance as lines.
package struct ModelGraph {
  private let entities: [ModelReport.Entity]

  package init(_ report: ModelReport) { entities = report.entities }

  /// Relationships; a pair of inverse ones is one link.
  private var links: [(from: String, to: String, label: String, isToMany: Bool, isBackToMany: Bool)]
  {
    var seen: Set<String> = []
    return entities.flatMap { entity in
      entity.relationships.compactMap { relationship in
        let inverse = relationship.inverse ?? ""
        guard seen.insert("\(entity.name).\(relationship.name)").inserted else { return nil }
        seen.insert("\(relationship.destination).\(inverse)")
        let back = entities.first { $0.name == relationship.destination }?.relationships
          .first { $0.name == inverse }
        let label = inverse.isEmpty ? relationship.name : "\(relationship.name) / \(inverse)"
        return (
          entity.name, relationship.destination, label, relationship.isToMany,
          back?.isToMany ?? false
        )
      }
    }
  }

  // MARK: - DOT

  /// The drawing in Graphviz's language.
  package var dot: String {
    var lines = [
      "digraph model {", "  node [shape=record, fontname=Helvetica];",
      "  edge [fontname=Helvetica];",
    ]
    for entity in entities {
      let fields = entity.attributes.map { Self.escaped("\($0.name): \($0.type)") + "\\l" }.joined()
      let style = entity.isAbstract ? ", style=dashed" : ""
      lines.append(
        "  \"\(Self.quoted(entity.name))\" [label=\"{\(Self.escaped(entity.name))|\(fields)}\"\(style)];"
      )
      if let parent = entity.parent {
        lines.append(
          "  \"\(Self.quoted(entity.name))\" -> \"\(Self.quoted(parent))\" [arrowhead=onormal];")
      }
    }
    for link in links {
      lines.append(
        "  \"\(Self.quoted(link.from))\" -> \"\(Self.quoted(link.to))\" [dir=both, label=\"\(Self.quoted(link.label))\", "
          + "arrowhead=\(link.isToMany ? "crow" : "normal"), arrowtail=\(link.isBackToMany ? "crow" : "none")];"
      )
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if "\\{}|<>\"".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }

  // MARK: - SVG

  private struct Box {
    let entity: ModelReport.Entity
    var x: Int
    var y: Int
    let width: Int
    let height: Int

    var center: (x: Int, y: Int) { (x + width / 2, y + height / 2) }
  }

  private static let line = 18
  private static let gap = 90

  /// The drawing as an SVG document: boxes in columns, related entities near each other.
  package var svg: String {
    let boxes = placed()
    let width = (boxes.map { $0.x + $0.width }.max() ?? 0) + 30
    let height = (boxes.map { $0.y + $0.height }.max() ?? 0) + 30
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" height=\"\(height)\" "
        + "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">",
      "<defs><marker id=\"one\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" "
        + "orient=\"auto-start-reverse\"><path d=\"M0 0L10 5L0 10z\" fill=\"#567\"/></marker>"
        + "<marker id=\"many\" viewBox=\"0 0 16 10\" refX=\"16\" refY=\"5\" markerWidth=\"12\" markerHeight=\"8\" "
        + "orient=\"auto-start-reverse\"><path d=\"M0 0L8 5L0 10zM8 0L16 5L8 10z\" fill=\"#567\"/></marker></defs>",
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
    ]
    let byName = Dictionary(
      boxes.map { ($0.entity.name, $0) }, uniquingKeysWith: { first, _ in first })
    lines += entities.compactMap { entity in
      guard let parent = entity.parent.flatMap({ byName[$0] }), let box = byName[entity.name] else {
        return nil
      }
      return Self.edge(
        box, to: parent, label: "", markers: "stroke-dasharray=\"4 3\" marker-end=\"url(#one)\"",
        number: 0)
    }
    var counts: [String: Int] = [:]
    for link in links {
      guard let from = byName[link.from], let to = byName[link.to] else { continue }
      let pair = [link.from, link.to].sorted().joined(separator: "\n")
      let markers =
        "marker-end=\"url(#\(link.isToMany ? "many" : "one"))\""
        + (link.isBackToMany ? " marker-start=\"url(#many)\"" : "")
      lines.append(
        Self.edge(
          from, to: to, label: link.label, markers: markers, number: counts[pair, default: 0]))
      counts[pair, default: 0] += 1
    }
    return (lines + boxes.map(Self.drawn) + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  /// Arranges entities in the order in which relationships reach them, so that related ones are
  /// near each other.
  private func placed() -> [Box] {
    var order: [ModelReport.Entity] = []
    var waiting = entities.sorted { $0.relationships.count > $1.relationships.count }
    while !waiting.isEmpty {
      var queue = [waiting.removeFirst()]
      while !queue.isEmpty {
        let entity = queue.removeFirst()
        order.append(entity)
        let near = waiting.filter { other in
          other.parent == entity.name || entity.parent == other.name
            || entity.relationships.contains { $0.destination == other.name }
        }
        waiting.removeAll { other in near.contains { $0.name == other.name } }
        queue += near
      }
    }
    let columns = max(1, Int(Double(order.count).squareRoot().rounded(.up)))
    var heights = [Int](repeating: 30, count: columns)
    let sizes = order.map(Self.size)
    let widest = sizes.map(\.width).max() ?? 0
    return zip(order, sizes).enumerated().map { index, element in
      let (entity, size) = element
      let column = index % columns
      defer { heights[column] += size.height + Self.gap }
      return Box(
        entity: entity, x: 30 + column * (widest + Self.gap), y: heights[column], width: size.width,
        height: size.height)
    }
  }

  private static func size(_ entity: ModelReport.Entity) -> (width: Int, height: Int) {
    let texts = [entity.name] + entity.attributes.map { "\($0.name): \($0.type)" }
    let width = (texts.map(\.count).max() ?? 0) * 7 + 20
    return (max(90, width), 26 + entity.attributes.count * line + 6)
  }

  private static func drawn(_ box: Box) -> String {
    let dash = box.entity.isAbstract ? " stroke-dasharray=\"5 3\"" : ""
    var lines = [
      "<g><rect x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" height=\"\(box.height)\" rx=\"5\" fill=\"#f7f9fb\" "
        + "stroke=\"#345\"\(dash)/>",
      "<text x=\"\(box.x + 10)\" y=\"\(box.y + 17)\" font-weight=\"bold\">\(xml(box.entity.name))</text>",
    ]
    for (index, attribute) in box.entity.attributes.enumerated() {
      lines.append(
        "<text x=\"\(box.x + 10)\" y=\"\(box.y + 40 + index * line)\" fill=\"#345\">"
          + "\(xml("\(attribute.name): \(attribute.type)"))</text>")
    }
    return lines.joined() + "</g>"
  }

  /// A line from border to border. Several lines between two boxes are drawn side by side; a line
  /// from a box to itself is a loop.
  private static func edge(
    _ from: Box, to: Box, label: String, markers: String, number: Int
  ) -> String {
    let style = "fill=\"none\" stroke=\"#567\" \(markers)"
    if from.entity.name == to.entity.name {
      let (x, y) = (from.x + from.width, from.y + 14 + number * 24)
      return "<path d=\"M\(x) \(y)c50 -16 50 34 0 18\" \(style)/>"
        + text(label, x: x + 42, y: y + 12)
    }
    let shift = (number + 1) / 2 * 22 * (number % 2 == 0 ? 1 : -1)
    let start = border(from, towards: (to.center.x, to.center.y + shift), shift: shift)
    let end = border(to, towards: (from.center.x, from.center.y + shift), shift: shift)
    return "<path d=\"M\(start.x) \(start.y)L\(end.x) \(end.y)\" \(style)/>"
      + text(label, x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 - 4)
  }

  private static func text(_ label: String, x: Int, y: Int) -> String {
    label.isEmpty
      ? ""
      : "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"middle\" fill=\"#567\" font-size=\"11\" stroke=\"white\" "
        + "stroke-width=\"3\" paint-order=\"stroke\">\(xml(label))</text>"
  }

  private static func border(
    _ box: Box, towards point: (x: Int, y: Int), shift: Int
  ) -> (x: Int, y: Int) {
    let (cx, cy) = (Double(box.center.x), Double(box.center.y + shift))
    let (dx, dy) = (Double(point.x) - cx, Double(point.y) - cy)
    guard dx != 0 || dy != 0 else { return box.center }
    let horizontal = dx == 0 ? Double.infinity : Double(box.width) / 2 / abs(dx)
    let room = Double(box.height) / 2 - (dy < 0 ? -1 : 1) * Double(shift)
    let vertical = dy == 0 ? Double.infinity : max(1, room) / abs(dy)
    let part = min(horizontal, vertical, 1)
    return (Int(cx + dx * part), Int(cy + dy * part))
  }

  private static func xml(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
