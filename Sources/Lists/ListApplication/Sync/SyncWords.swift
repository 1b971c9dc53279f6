import CoreData
import CoreDataSync
import Foundation

/// What a user is told of sync.
struct SyncWords {
  let coordinator: NSPersistentStoreCoordinator

  // MARK: - The line

  /// What sync is doing, in a line; `lasts` if it has been at it for a while.
  static func line(_ status: SyncStatus, isOn: Bool, lasts: Bool = false) -> String {
    let state = state(status, isOn: isOn, lasts: lasts)
    var parts = [state]
    if status.toSend > 0, state != sending(status) {
      parts.append(sending(status))
    }
    if let held = status.held.first {
      let more = status.held.count > 1 ? " and \(status.held.count - 1) more" : ""
      parts.append("not shown\(more): \(reason(held.reason))")
    }
    return parts.joined(separator: " · ")
  }

  private static func state(_ status: SyncStatus, isOn: Bool, lasts: Bool) -> String {
    switch status.activity {
    case .offline(let since, let reason):
      let time = "offline since \(clock(since))"
      return isOn && reason != SyncSwitch.reason
        ? "\(time): \(sentence(reason))" : time.prefix(1).uppercased() + time.dropFirst()
    case .stopped(let reason): return "Not synced: \(sentence(reason))"
    case .idle where !isOn: return "Offline"
    case .idle, .syncing:
      if status.toSend > 0 { return sending(status) }
      if status.toReceive > 0 { return "\(status.toReceive.formatted()) to receive" }
      if status.lastSync == nil || (status.activity == .syncing && lasts) { return "Syncing…" }
      return status.held.isEmpty ? "Synced" : "Synced but for \(status.held.count.formatted())"
    }
  }

  private static func sending(_ status: SyncStatus) -> String {
    "\(status.toSend.formatted()) to send"
  }

  /// Messages of the system end with a full stop or not.
  private static func sentence(_ text: String) -> String {
    text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  private static func clock(_ date: Date) -> String {
    let parts = Calendar.current.dateComponents([.hour, .minute], from: date)
    let minute = parts.minute ?? 0
    return "\(parts.hour ?? 0):\(minute < 10 ? "0" : "")\(minute)"
  }

  private static func reason(_ reason: SyncLoss.Reason) -> String {
    switch reason {
    case .overwritten: "changed elsewhere"
    case .deleted: "deleted elsewhere"
    case .denied(let words), .held(let words): sentence(words)
    }
  }

  // MARK: - Losses

  /// So many losses are told at once.
  private static let mostTold = 5

  /// What somebody lost, with the values: a message for each.
  func messages(_ losses: [SyncLoss], in context: NSManagedObjectContext) -> [String] {
    var messages: [String] = []
    for loss in losses {
      if let message = message(loss, in: context), !messages.contains(message) {
        messages.append(message)
      }
    }
    let more = messages.count - Self.mostTold
    guard more > 0 else { return messages }
    return messages.prefix(Self.mostTold)
      + ["\(more) more of your changes were changed by other devices, too."]
  }

  private func message(_ loss: SyncLoss, in context: NSManagedObjectContext) -> String? {
    guard let entity = coordinator.managedObjectModel.entitiesByName[loss.entity] else {
      return nil
    }
    let property = loss.property.flatMap { entity.propertiesByName[$0] }
    if let attribute = property as? NSAttributeDescription, !attribute.isOfPeople {
      return nil
    }
    let object = loss.object.flatMap(URL.init(string:))
      .flatMap { coordinator.managedObjectID(forURIRepresentation: $0) }
      .flatMap { try? context.existingObject(with: $0) }
    let name = object.map { "“\($0.attributeTexts)”" } ?? "A row"
    let mine = loss.value.flatMap(Self.text).map { " You had made it “\($0)”." } ?? ""
    switch loss.reason {
    case .deleted:
      guard let mine = loss.value.flatMap(Self.text), !mine.isEmpty else {
        return "\(name) was deleted on another device."
      }
      return "A row was deleted on another device. You typed: \(mine)"
    case .overwritten:
      guard let property else { return "\(name) was changed on another device." }
      guard let attribute = property as? NSAttributeDescription else {
        let end = (object?.value(forKey: property.name) as? NSManagedObject)?.attributeTexts
        return "\(name) was moved on another device, too: it is in “\(end ?? "")” now."
      }
      let now = object?.value(forKey: attribute.name).map { NSManagedObject.text(of: $0) }
      return "\(property.label) of \(name): another device made it “\(now ?? "")”.\(mine)"
    case .denied(let reason):
      let what = property.map { "\($0.label) of \(name)" } ?? name
      return "\(what) was not taken by the server (\(Self.sentence(reason))).\(mine)"
    case .held(let reason): return "\(name) cannot be shown: \(Self.sentence(reason)).\(mine)"
    }
  }

  private static func text(_ value: SyncValue) -> String? {
    switch value {
    case .null: ""
    case .bool(let flag): flag ? "yes" : "no"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let text), .text(let text), .url(let text): text
    case .date(let seconds): Day.text(Date(timeIntervalSinceReferenceDate: seconds))
    case .uuid(let uuid): uuid.uuidString
    case .data, .reference, .position, .blob, .composite: nil
    }
  }
}
