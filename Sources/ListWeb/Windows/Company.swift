import ListKit

/// The windows that show the same place of the application. Each page shows the others in its bar,
/// a colour a window, and marks the rows that they edit.
///
/// A window that is alone gets no message, and costs a look into a dictionary when its place
/// changes. Messages are gathered: one a window in a tenth of a second. Where more windows are than
/// `mostMarked`, pages show their number alone, which is sent every two seconds at most.
@MainActor
final class Company {
  /// Another window, as a page shows it.
  struct Other: Encodable, Equatable {
    /// A number below `colours`.
    let colour: Int
    /// The name of the row that the window edits.
    var row: String?
  }

  static let colours = 8
  /// The largest company whose windows are told apart.
  static let mostMarked = 12

  private struct Member {
    weak var session: WindowSession?
    let colour: Int
    var row: String?
    /// What the page shows; nil if that is not known.
    var shown: Shown?
  }

  private struct Shown: Equatable {
    let count: Int
    let others: [Other]
  }

  private var groups: [Place: [ObjectIdentifier: Member]] = [:]
  private var places: [ObjectIdentifier: Place] = [:]
  private var changed: Set<Place> = []
  private var isWaiting = false

  // MARK: - What windows do

  /// Records where a window is, and which row it edits. A window whose page is hidden or away is
  /// nowhere.
  func note(_ session: WindowSession) {
    let window = ObjectIdentifier(session)
    let isHere = session.isStreaming && session.scene.activationState == .foregroundActive
    let place = isHere ? session.listPlace : nil
    let former = places[window]
    if former == place {
      guard let place, groups[place]?[window]?.row != session.editedRow else { return }
      groups[place]?[window]?.row = session.editedRow
      return mark(place)
    }
    if let former { leave(former, window) }
    if let place { join(place, session) }
  }

  /// Forgets what a window's page shows: it is drawn anew.
  func forgetShown(by session: WindowSession) {
    let window = ObjectIdentifier(session)
    guard let place = places[window] else { return }
    groups[place]?[window]?.shown = nil
    mark(place)
  }

  private func join(_ place: Place, _ session: WindowSession) {
    let taken = Set((groups[place] ?? [:]).values.map(\.colour))
    let free = (0..<Self.colours).first { !taken.contains($0) }
    let colour =
      session.colour.flatMap { taken.contains($0) ? nil : $0 } ?? free ?? taken.count % Self.colours
    session.colour = colour
    let window = ObjectIdentifier(session)
    places[window] = place
    groups[place, default: [:]][window] = Member(
      session: session, colour: colour, row: session.editedRow)
    mark(place)
  }

  private func leave(_ place: Place, _ window: ObjectIdentifier) {
    places[window] = nil
    let member = groups[place]?.removeValue(forKey: window)
    if groups[place]?.isEmpty == true { groups[place] = nil }
    mark(place)
    // The page shows another place now, whose others are told there.
    guard let session = member?.session, session.isStreaming, member?.shown?.count ?? 0 > 0 else {
      return
    }
    session.send([Self.operation(Shown(count: 0, others: []))])
  }

  // MARK: - What pages are told

  private func mark(_ place: Place) {
    guard let members = groups[place] else { return }
    let isTold = members.values.contains { $0.shown?.count ?? 0 > 0 }
    guard members.count > 1 || isTold else { return }
    changed.insert(place)
    guard !isWaiting else { return }
    isWaiting = true
    let pause: Duration = members.count > Self.mostMarked ? .seconds(2) : .milliseconds(100)
    Task { @MainActor [weak self] in
      try? await Task.sleep(for: pause)
      self?.tellAll()
    }
  }

  private func tellAll() {
    isWaiting = false
    for place in changed {
      let all = (groups[place] ?? [:]).sorted { $0.value.colour < $1.value.colour }
      for (window, member) in all {
        let others = all.count > Self.mostMarked ? [] : all.filter { $0.key != window }
        let shown = Shown(
          count: all.count - 1,
          others: others.map { Other(colour: $0.value.colour, row: $0.value.row) })
        guard member.shown ?? Shown(count: 0, others: []) != shown else { continue }
        groups[place]?[window]?.shown = shown
        member.session?.send([Self.operation(shown)])
      }
    }
    changed = []
  }

  private static func operation(_ shown: Shown) -> PatchOperation {
    var operation = PatchOperation("others")
    operation.first = shown.count
    operation.others = shown.others
    return operation
  }
}
