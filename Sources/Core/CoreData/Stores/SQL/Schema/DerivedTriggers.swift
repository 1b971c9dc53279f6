/// The triggers that maintain one derived attribute, with Apple's names.
///
///     Z_DA_<table>_<Entity>_<attribute>_<event>
///       …PARAMETER_INSERT, …PARAMETER_UPDATE…, …PARAMETER_DELETE   on the tables that are read
///       …SOURCE_INSERT, …SOURCE_UPDATE                              on the table of the attribute
///
/// Each sets the column and then calls a function that reports the change to a context, and which
/// every connection has registered. Of Apple's triggers those of a count and `now()` are known, by
/// files and logs; the others are made alike.
struct DerivedTriggers {
  /// The table of the entity that has the attribute.
  let table: String
  let column: String
  let entity: String
  let attribute: String
  /// The numbers of the entities that have the attribute; nil if all entities of the table have it.
  let kinds: [Int]?
  /// Whether the triggers are temporary, of the connection alone: a trigger in the file with a
  /// function that Apple's frameworks lack would prevent them from writing.
  let areTemporary: Bool

  func trigger(
    _ name: String, on source: String, event: String, when condition: String? = nil,
    set value: String, where rows: String
  ) -> String {
    let function =
      name == Self.insertion
      ? "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
      : "NSCoreDataDATriggerUpdatedAffectedObjectValue"
    let rows = rows + kindCondition
    let when = condition.map { " WHEN (\($0))" } ?? ""
    return "CREATE \(areTemporary ? "TEMP " : "")TRIGGER "
      + SQLIdentifier.quoted("Z_DA_\(source)_\(entity)_\(attribute)_\(name)")
      + " \(event) ON \(areTemporary ? "main." : "")\(source) FOR EACH ROW\(when) BEGIN "
      + "UPDATE \(table) SET \(column) = \(value) WHERE \(rows); "
      + "SELECT \(function)('\(table)', Z_ENT, Z_PK, '\(attribute)', \(column)) "
      + "FROM \(table) WHERE \(rows); END"
  }

  private var kindCondition: String {
    guard let kinds else { return "" }
    return " AND Z_ENT IN (\(kinds.map(String.init).joined(separator: ", ")))"
  }

  static let insertion = "SOURCE_INSERT"

  /// Computes the value when its owner is inserted, since its members may be inserted before.
  func whenInserted(set value: String) -> String {
    trigger(
      Self.insertion, on: table, event: "AFTER INSERT", set: value, where: "Z_PK = NEW.Z_PK")
  }
}

// MARK: - now()
extension DerivedTriggers {
  /// Triggers on insertion and on a change of the version, which every save of an object raises.
  func now() -> [String] {
    let now = "NSCoreDataNow()"
    return [
      trigger("INSERT", on: table, event: "AFTER INSERT", set: now, where: "Z_PK = NEW.Z_PK"),
      trigger(
        "UPDATE", on: table, event: "AFTER UPDATE OF Z_OPT", set: now, where: "Z_PK = NEW.Z_PK"),
    ]
  }
}

// MARK: - @count and @sum of one-to-many relationships
extension DerivedTriggers {
  func count(members: String, foreignKey: String) -> [String] {
    let all =
      "(SELECT IFNULL(COUNT(\(foreignKey)), 0) FROM \(members) WHERE \(foreignKey) = NEW.Z_PK)"
    return changes(
      members, foreignKey: foreignKey, columns: foreignKey, first: "IFNULL(\(column), 0) + 1",
      more: "\(column) + 1", less: "\(column) - 1") + [whenInserted(set: all)]
  }

  func sum(of attribute: String, members: String, foreignKey: String) -> [String] {
    let all =
      "(SELECT IFNULL(SUM(\(attribute)), 0) FROM \(members) WHERE \(foreignKey) = NEW.Z_PK)"
    let more = "IFNULL(\(column), 0) + IFNULL(NEW.\(attribute), 0)"
    return changes(
      members, foreignKey: foreignKey, columns: "\(foreignKey), \(attribute)", first: more,
      more: more,
      less: "IFNULL(\(column), 0) - IFNULL(OLD.\(attribute), 0)") + [whenInserted(set: all)]
  }

  private func changes(
    _ members: String, foreignKey: String, columns: String, first: String, more: String,
    less: String
  ) -> [String] {
    func parameter(
      _ name: String, _ event: String, _ row: String, _ value: String, unless: String = ""
    ) -> String {
      trigger(
        "PARAMETER_\(name)", on: members, event: event,
        when: "\(row).\(foreignKey) NOT NULL\(unless)",
        set: value, where: "Z_PK = \(row).\(foreignKey)")
    }
    // A row that is inserted as its own member is counted by SOURCE_INSERT, not here.
    let isItself = members == table ? " AND NEW.\(foreignKey) <> NEW.Z_PK" : ""
    return [
      parameter("INSERT", "AFTER INSERT", "NEW", first, unless: isItself),
      parameter("UPDATE_INCREMENT", "AFTER UPDATE OF \(columns)", "NEW", more),
      parameter("UPDATE_DECREMENT", "AFTER UPDATE OF \(columns)", "OLD", less),
      parameter("DELETE", "AFTER DELETE", "OLD", less),
    ]
  }
}

// MARK: - @count and @sum of many-to-many relationships, computed anew from the join table
extension DerivedTriggers {
  func count(join: JoinMapping) -> [String] {
    let (table, owner) = (SQLIdentifier.quoted(join.table), SQLIdentifier.quoted(join.ownerColumn))
    func all(_ row: String) -> String {
      "(SELECT COUNT(*) FROM \(table) WHERE \(owner) = \(row))"
    }
    return changes(table, owner: owner, all: all) + [whenInserted(set: all("NEW.Z_PK"))]
  }

  func sum(of attribute: String, members: String, join: JoinMapping) -> [String] {
    let quoted = SQLIdentifier.quoted
    let (table, owner) = (quoted(join.table), quoted(join.ownerColumn))
    let member = quoted(join.memberColumn)
    func all(_ row: String) -> String {
      "(SELECT IFNULL(SUM(d1.\(attribute)), 0) FROM \(table) d0 JOIN \(members) d1 "
        + "ON d1.Z_PK = d0.\(member) WHERE d0.\(owner) = \(row))"
    }
    let owners = "Z_PK IN (SELECT \(owner) FROM \(table) WHERE \(member) = NEW.Z_PK)"
    let ofValue = trigger(
      "PARAMETER_UPDATE", on: members, event: "AFTER UPDATE OF \(attribute)",
      set: all("\(self.table).Z_PK"), where: owners)
    let ofMember = trigger(
      "PARAMETER_INSERT", on: members, event: "AFTER INSERT", set: all("\(self.table).Z_PK"),
      where: owners)
    return changes(table, owner: owner, all: all) + [
      ofMember, ofValue, whenInserted(set: all("NEW.Z_PK")),
    ]
  }

  private func changes(
    _ join: String, owner: String, all: (String) -> String
  ) -> [String] {
    [("INSERT", "NEW"), ("DELETE", "OLD")].map { event, row in
      trigger(
        "PARAMETER_\(event)", on: join, event: "AFTER \(event)", when: "\(row).\(owner) NOT NULL",
        set: all("\(row).\(owner)"), where: "Z_PK = \(row).\(owner)")
    }
  }
}
