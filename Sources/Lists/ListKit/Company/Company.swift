/// The windows that show the same lists. Each shows the others in its bar, a colour a window, and
/// marks the rows that they edit.
///
/// A window that is alone is told nothing, and costs a look into a dictionary when what it shows
/// changes. What is told is gathered: once a window in a tenth of a second. Where more windows are
/// than `mostMarked`, each is told their number alone, every two seconds at most.
@MainActor
package final class Company {
  /// Another window, as a renderer shows it.
  package struct Other: Encodable, Equatable {
    /// A number below `colours`.
    package let colour: Int
    /// The name of the row that the window edits.
    package let row: String?

    package init(colour: Int, row: String?) {
      (self.colour, self.row) = (colour, row)
    }
  }

  /// What a window shows of the others. `others` is empty where they are too many to tell apart.
  package struct Shown: Equatable {
    package let count: Int
    package let others: [Other]

    package static let nobody = Shown(count: 0, others: [])
  }

  package static let colours = 8
  /// The largest company whose windows are told apart.
  package static let mostMarked = 12

  private struct Member {
    weak var window: (any CompanyMember)?
    let colour: Int
    let presence: Presence
    /// What the window shows.
    var shown = Shown.nobody
  }

  private var members: [ObjectIdentifier: Member] = [:]
  /// The windows by the lists that they show.
  private var groups: [[String]: Set<ObjectIdentifier>] = [:]
  private var changed: Set<[String]> = []
  private var isWaiting = false

  package init() {}

  // MARK: - What windows do

  /// Records what a window shows, and which row it edits.
  package func note(_ window: any CompanyMember) {
    let id = ObjectIdentifier(window)
    let (former, now) = (members[id], window.presence)
    guard former?.presence != now else { return }
    let (left, come) = (former?.presence.places ?? [], now?.places ?? [])
    for place in left.subtracting(come) {
      groups[place]?.remove(id)
      if groups[place]?.isEmpty == true { groups[place] = nil }
    }
    for place in come { groups[place, default: []].insert(id) }
    if let now {
      let colour = colour(of: window, at: now.places)
      window.colour = colour
      members[id] = Member(
        window: window, colour: colour, presence: now, shown: former?.shown ?? .nobody)
    } else {
      members[id] = nil
      if let former, former.shown != .nobody { window.show(.nobody) }
    }
    mark(left.union(come))
  }

  /// Forgets what a window shows: it is drawn anew.
  package func forgetShown(by window: any CompanyMember) {
    let id = ObjectIdentifier(window)
    guard let places = members[id]?.presence.places else { return }
    members[id]?.shown = .nobody
    mark(places)
  }

  /// A colour that no other window of these lists has, if there is one: the former of the window.
  private func colour(of window: any CompanyMember, at places: Set<[String]>) -> Int {
    let id = ObjectIdentifier(window)
    if let known = members[id], known.presence.places == places { return known.colour }
    let others = union(of: places).filter { $0 != id }
    let taken = Set(others.compactMap { members[$0]?.colour })
    if let own = window.colour, !taken.contains(own) { return own }
    return (0..<Self.colours).first { !taken.contains($0) } ?? others.count % Self.colours
  }

  private func union(of places: Set<[String]>) -> Set<ObjectIdentifier> {
    places.count == 1
      ? places.first.flatMap { groups[$0] } ?? []
      : places.reduce(into: []) { $0.formUnion(groups[$1] ?? []) }
  }

  // MARK: - What windows are told

  private func mark(_ places: Set<[String]>) {
    let met = places.filter { place in
      guard let group = groups[place] else { return false }
      return group.count > 1 || group.contains { members[$0]?.shown != .nobody }
    }
    guard !met.isEmpty else { return }
    changed.formUnion(met)
    guard !isWaiting else { return }
    isWaiting = true
    let isLarge = met.contains { groups[$0]?.count ?? 0 > Self.mostMarked }
    let pause: Duration = isLarge ? .seconds(2) : .milliseconds(100)
    Task { @MainActor [weak self] in
      try? await Task.sleep(for: pause)
      self?.tellAll()
    }
  }

  private func tellAll() {
    isWaiting = false
    let told = union(of: changed)
    changed = []
    // Windows that show the same lists have the same company.
    var companies: [Set<[String]>: Set<ObjectIdentifier>] = [:]
    for id in told {
      guard let member = members[id] else { continue }
      let places = member.presence.places
      let company = companies[places] ?? union(of: places)
      companies[places] = company
      let shown = Shown(count: company.count - 1, others: others(in: company, than: id))
      guard member.shown != shown else { continue }
      members[id]?.shown = shown
      member.window?.show(shown)
    }
  }

  private func others(in company: Set<ObjectIdentifier>, than id: ObjectIdentifier) -> [Other] {
    guard company.count <= Self.mostMarked else { return [] }
    return company.filter { $0 != id }.compactMap { members[$0] }
      .sorted { $0.colour < $1.colour }
      .map { Other(colour: $0.colour, row: $0.presence.row) }
  }
}

/// A window that others see.
@MainActor
package protocol CompanyMember: AnyObject {
  /// What the window shows; nil while nobody looks at it.
  var presence: Presence? { get }
  /// The colour in which others show the window.
  var colour: Int? { get set }
  /// Shows the other windows.
  func show(_ company: Company.Shown)
}
