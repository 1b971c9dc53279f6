import ListKit

/// The windows whose pages show the same rows of the same list, and of which one makes the patches
/// for all.
///
///     save ─► leader: merges, draws its rows ─► patch ─┬─► its own page
///                                                      └─► the pages of the followers
///
/// A follower's views stay behind its page. They catch up, silently, before anything happens in
/// that window: an event of its user, a reload, a change that is the window's own. Then they must
/// be what the page shows; where they are not, the page gets its table anew. One follower catches
/// up after each patch, so that what waits for it does not grow without end.
@MainActor
final class SharedList {
  private static var all: [String: SharedList] = [:]

  /// The list of a key (`WindowSession.sharingKey`).
  static func list(_ key: String) -> SharedList {
    if let list = all[key] { return list }
    let list = SharedList(key)
    all[key] = list
    return list
  }

  private let key: String
  private weak var leader: WindowSession?
  private var followers: [WindowSession] = []
  /// The follower that catches up next.
  private var next = 0

  private init(_ key: String) { self.key = key }

  func isLed(by session: WindowSession) -> Bool { leader === session }

  /// The window that leads, unless it is this one.
  func leading(other session: WindowSession) -> WindowSession? {
    leader === session ? nil : leader
  }

  // MARK: - Members

  /// Takes a window in that is up to date. One that shows something else stays outside.
  func join(_ session: WindowSession) {
    guard let leader else {
      leader = session
      session.sharing = self
      return
    }
    if leader.scene.following?.isBehind == true { lead() }
    // Leading may have ended the list.
    guard self.leader === leader, session.scene.following?.isBehind == false else { return }
    guard session.showsRows(of: leader) else { return }
    session.sharing = self
    followers.append(session)
  }

  /// Lets a window go; another one leads if it has led.
  func leave(_ session: WindowSession) {
    session.sharing = nil
    guard leader === session else {
      followers.removeAll { $0 === session }
      return
    }
    leader = nil
    while let heir = followers.popLast() {
      heir.catchUp(with: session)
      heir.flushIfScheduled()
      if heir.sharing === self {
        leader = heir
        break
      }
    }
    if leader == nil { Self.all[key] = nil }
  }

  /// Lets a window go whose rows have changed by themselves.
  func leaveWithOwnChange(_ session: WindowSession) {
    // Nobody has the rows any more that the followers must have.
    if leader === session { end() } else { leave(session) }
  }

  /// Ends the list: its windows follow by themselves.
  private func end() {
    let members = followers
    followers = []
    leader?.sharing = nil
    leader = nil
    Self.all[key] = nil
    for member in members {
      member.sharing = nil
      member.scene.following?.askForTurn()
    }
  }

  // MARK: - Patches

  /// Brings the leader up to date, and sends its patch to all.
  func lead() {
    guard let leader, let following = leader.scene.following, following.isBehind else { return }
    leader.flushIfScheduled()
    leader.isLeading = true
    following.takeOver()
    leader.isLeading = false
    let operations = leader.takeOperations()
    leader.send(operations)
    spread(operations)
  }

  private func spread(_ operations: [PatchOperation]) {
    guard let leader, let (name, table) = leader.onlyTable, let state = leader.shownTables[name],
      let patch = SharedPatch(operations, table: name)
    else { return end() }
    let rows = table.rows.map(\.id)
    for follower in followers { follower.take(patch, state: state, rows: rows) }
    guard !followers.isEmpty else { return }
    next = (next + 1) % followers.count
    let follower = followers[next]
    follower.catchUp(with: leader)
    follower.flushIfScheduled()
  }
}
