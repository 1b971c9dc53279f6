import ArgumentParser
import CoreDataSync
import Foundation

/// Command line options for syncing the store with those of other devices.
package struct SyncOptions: ParsableArguments {
  /// The environment variable of the key.
  static let keyVariable = "COREDATA_SYNC_KEY"

  @Option(
    help: ArgumentHelp(
      "Sync the store through `coredata sync-server` at this address: http://host:8090.",
      valueName: "ADDRESS"))
  var sync: String?

  @Option(help: ArgumentHelp("The zone of the server that the store is synced with."))
  var zone: String?

  @Option(
    help: ArgumentHelp(
      "The key for the server. Who lists the processes of this machine sees it: see --key-file."))
  var key: String?

  @Option(
    help: ArgumentHelp(
      "A file whose first line is the key. Without either it is the environment's \(keyVariable).",
      valueName: "FILE"))
  var keyFile: String?

  package init() {}

  package func validate() throws {
    guard let sync else {
      guard zone == nil, key == nil, keyFile == nil else {
        throw ValidationError("--zone, --key and --key-file belong to --sync ADDRESS.")
      }
      return
    }
    guard Self.address(sync) != nil else {
      throw ValidationError(
        "--sync takes the address of a sync server, such as http://host:8090, not “\(sync)”.")
    }
    guard let zone, !zone.isEmpty else { throw ValidationError("--sync needs --zone NAME.") }
    guard key == nil || keyFile == nil else {
      throw ValidationError("--key and --key-file are two keys: give one.")
    }
  }

  private static func address(_ text: String) -> URL? {
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
      url.host()?.isEmpty == false, url.query == nil, url.fragment == nil
    else { return nil }
    return url
  }

  /// Where to sync; nil without `--sync`.
  /// - Throws: ``Refusal`` if there is no key.
  func target() throws -> SyncTarget? {
    guard let url = sync.flatMap(Self.address), let zone else { return nil }
    return SyncTarget(server: url, zone: zone, key: try readKey())
  }

  private func readKey() throws -> String {
    if let key { return try Self.checked(key, from: "--key") }
    if let keyFile {
      let text: String
      do { text = try String(contentsOfFile: keyFile, encoding: .utf8) } catch {
        throw Refusal("The key cannot be read from \(keyFile): \(error.localizedDescription)")
      }
      return try Self.checked(
        String(text.prefix { !$0.isNewline }), from: "the first line of \(keyFile)")
    }
    guard let key = ProcessInfo.processInfo.environment[Self.keyVariable] else {
      throw Refusal("--sync needs a key: --key-file FILE, --key KEY or \(Self.keyVariable).")
    }
    return try Self.checked(key, from: Self.keyVariable)
  }

  /// A key goes into a line of HTTP.
  private static func checked(_ text: String, from place: String) throws -> String {
    let key = text.trimmingCharacters(in: .whitespaces)
    guard !key.isEmpty, key.utf8.allSatisfy({ (33...126).contains($0) }) else {
      throw Refusal("A key is one word of ASCII; \(place) is not.")
    }
    return key
  }
}
