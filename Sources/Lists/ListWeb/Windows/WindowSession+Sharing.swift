import ListKit

// Following what others have changed: alone, or with the windows that show the same list.
extension WindowSession {
  /// Takes over what others have changed, and sends it.
  func takeTurn(_ scene: UIScene) {
    if let sharing {
      // A follower gets the leader's patch.
      if sharing.isLed(by: self) { sharing.lead() }
      guard scene.following?.mustLook == true else { return }
      stepOut()
    } else {
      catchUp(with: nil)
    }
    flushIfScheduled()
    if let key = sharingKey { SharedList.list(key).join(self) }
  }

  /// Makes the views what the page shows, and what others have changed since, before something
  /// happens in this window.
  func stepOut() {
    guard let sharing else { return catchUp(with: nil) }
    // Then the leader's rows are those that this window must have.
    sharing.lead()
    guard let sharing = self.sharing else { return catchUp(with: nil) }
    let leader = sharing.leading(other: self)
    sharing.leave(self)
    catchUp(with: leader)
  }

  /// - Parameter leader: the window that has made the patches; its rows are compared.
  func catchUp(with leader: WindowSession?) {
    guard let following = scene.following, isAhead || following.isBehind else { return }
    guard isAhead else { return following.takeOver() }
    isSilent = true
    following.takeOver()
    isSilent = false
    isAhead = false
    guard let (name, table) = onlyTable, shownTables[name] != nil else { return }
    dirtyViews.removeAll { $0.isDescendant(of: table) }
    let isRight =
      TableState(table) == shownTables[name] && table.rows.map(\.id) == sharedRows
      && leader.map(showsRows) ?? false
    if isRight { return }
    sharing?.leave(self)
    recordReload(table)
    scheduleFlush()
  }

  /// The page gets the patch of another window.
  func take(_ patch: SharedPatch, state: TableState, rows: [String]) {
    guard let name = onlyTable?.name else { return }
    isAhead = true
    shownTables[name] = state
    sharedRows = rows
    if !patch.isEmpty { send(patch.text(table: name)) }
  }

  /// Leaves the others for a change of rows that is this window's own. Returns true if the page,
  /// which is ahead, gets the table anew instead of the change, once the views have caught up.
  func keepsForItself() -> Bool {
    sharing?.leaveWithOwnChange(self)
    return isAhead
  }

  // MARK: - What is shared

  /// The only table of the page's only screen.
  var onlyTable: (name: String, table: ListView)? {
    guard shownTables.count == 1, shownScreens.count == 1, let name = shownTables.first?.key,
      let table = names.object(named: name, as: ListView.self)
    else { return nil }
    return (name, table)
  }

  /// Equal for windows whose pages get the same patches; nil for one that shows something of its
  /// own: an alert, a selection, another part of the list than its beginning.
  private var sharingKey: String? {
    guard let following = scene.following, !following.isBehind, !following.mustLook, !isActing,
      !isFlushScheduled, pending.isEmpty, window.visibleAlert == nil, let table = onlyTable?.table,
      let controller = shownScreens.first?.controller, table.anchorPlace == 0,
      table.firstPlace == 0, !table.isEditing, let key = table.sharingKey
    else { return nil }
    let hasOwn = table.rows.contains { row in
      row.cell.isSelected || !row.cell.leadingControls.isEmpty
        || !row.cell.trailingControls.isEmpty || row.cell.formControl != nil
    }
    if hasOwn { return nil }
    return "\(type(of: controller))/\(place.text)/\(table.wantedRows)/\(key)"
  }

  /// Whether the table has the rows of another window's, both of which are up to date.
  func showsRows(of other: WindowSession) -> Bool {
    guard let (name, mine) = onlyTable, let (otherName, theirs) = other.onlyTable,
      mine.rows.count == theirs.rows.count, shownTables[name] == other.shownTables[otherName]
    else { return false }
    return zip(mine.rows, theirs.rows).allSatisfy { mine, theirs in
      mine.id == theirs.id && mine.cell.rowContent == theirs.cell.rowContent
    }
  }
}
