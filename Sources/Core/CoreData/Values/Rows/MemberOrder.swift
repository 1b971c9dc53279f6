/// Merges two changes of an ordered relationship's members that were both made to one order.
///
/// A member added or removed on either side is added or removed. The order is that of the side that
/// has moved members. Members added on the other side follow the member that they follow there, or
/// are at the end if they are there.
struct MemberOrder<Member: Hashable> {
  let members: [Member]
  /// Whether both sides have moved members that both still have; one order is then lost.
  let isConflict: Bool

  /// - Parameter yields: whether `mine` is the order to lose.
  init(base: [Member], mine: [Member], theirs: [Member], yields: Bool = false) {
    if base == theirs {
      (members, isConflict) = (mine, false)
      return
    }
    let read = Set(base)
    let common = read.intersection(mine).intersection(theirs)
    let order = base.filter(common.contains)
    let (here, there) = (mine.filter(common.contains), theirs.filter(common.contains))
    isConflict = here != order && there != order && here != there
    let mineLeads = isConflict ? !yields : here != order || there == order
    let (leader, follower) = mineLeads ? (mine, theirs) : (theirs, mine)
    let stays = Set(follower)
    members = Self.join(
      leader.filter { stays.contains($0) || !read.contains($0) }, source: follower,
      known: read.union(leader))
  }

  /// `order` with the members of `source` that are not known yet, each at its position there.
  private static func join(_ order: [Member], source: [Member], known: Set<Member>) -> [Member] {
    let present = Set(order)
    var leading: [Member] = []
    var following: [Member: [Member]] = [:]
    var last: Member?
    let trailing = Array(source.reversed().prefix { !known.contains($0) }.reversed())
    for member in source.dropLast(trailing.count) {
      if present.contains(member) {
        last = member
      } else if !known.contains(member) {
        if let last { following[last, default: []].append(member) } else { leading.append(member) }
      }
    }
    if leading.isEmpty, following.isEmpty { return order + trailing }
    return leading + order.flatMap { [$0] + (following[$0] ?? []) } + trailing
  }
}
