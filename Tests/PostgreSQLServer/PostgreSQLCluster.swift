import Foundation
import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A cluster of three servers, with Patroni, that ends with the process: what `Scripts/start-cluster` has started.
package final class PostgreSQLCluster {
  /// How often its primary is killed; 0: there is no cluster.
  package static let kills =
    Int(ProcessInfo.processInfo.environment["CLUSTER_KILLS"] ?? "") ?? 0
  /// How often its primary is stopped until another server leads.
  package static let freezes =
    Int(ProcessInfo.processInfo.environment["CLUSTER_FREEZES"] ?? "") ?? 0

  private let process = Process()
  private let port: Int
  /// Leads to whichever server is the primary.
  package let address: String

  package init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    process.executableURL = root.appendingPathComponent("Scripts/start-cluster")
    // Its servers, what they tell of themselves, and etcd: see the script's head.
    port = try LentPorts.lend(with: [1, 2, 3000, 3001, 3002, -3000, -2999])
    process.arguments = [
      "--port", "\(port)", "--parent", "\(ProcessInfo.processInfo.processIdentifier)",
    ]
    process.standardInput = FileHandle.nullDevice
    // The tests' own is waited for until nobody holds it any more.
    process.standardError = FileHandle.nullDevice
    let lines = PrintedLines(of: process)
    try process.run()
    guard let line = lines.next() else {
      throw ServerFailure(text: "Scripts/start-cluster could not start; run it to see why")
    }
    address = line
  }

  /// Servers hold what tells that the script has ended: that is not waited for.
  package func stop() { process.terminate() }

  /// Until the primary has two that follow it, one of them in step, and Patroni has written down which: only that one
  /// may succeed it. Otherwise another kill could take what was acknowledged, and nobody promised it would not.
  package func waitUntilWhole() throws {
    let sql =
      "SELECT count(*) FILTER (WHERE sync_state = 'sync'), count(*) FROM pg_stat_replication "
      + "WHERE state = 'streaming' AND current_setting('synchronous_standby_names') <> ''"
    try Patience.wait(for: "the cluster to be whole again") {
      // There may be no primary yet.
      (try? PSQL.rows(sql, at: address))?.first == ["1", "2"]
        && (0..<3).allSatisfy(knowsSuccessor)
    }
  }

  /// Whether the Patroni of a server knows of one that is in step.
  private func knowsSuccessor(server: Int) -> Bool {
    struct Cluster: Decodable {
      struct Member: Decodable { let role: String }
      let members: [Member]
    }
    let url = URL(string: "http://127.0.0.1:\(port + 3000 + server)/cluster")!
    guard let data = try? Data(contentsOf: url),
      let cluster = try? JSONDecoder().decode(Cluster.self, from: data)
    else { return false }
    return cluster.members.contains { $0.role == "sync_standby" }
  }

  private func primary() throws -> (folder: String, pid: pid_t) {
    guard let folder = try PSQL.value("SELECT current_setting('data_directory')", at: address)
    else { throw CocoaError(.fileReadUnknown) }
    let file = try String(contentsOfFile: "\(folder)/postmaster.pid", encoding: .utf8)
    guard let pid = file.split(separator: "\n").first.flatMap({ Int32($0) }) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return (folder, pid)
  }

  package func killPrimary() throws { kill(try primary().pid, SIGKILL) }

  /// Stops all processes of the primary, and what watches it, until another server leads; then they
  /// go on. Connections stay open, as when a machine freezes.
  package func freezePrimary() throws {
    let (folder, pid) = try primary()
    let pids = try [pid] + Self.children(of: pid) + Self.watchers(of: folder)
    for pid in pids { kill(pid, SIGSTOP) }
    defer { for pid in pids { kill(pid, SIGCONT) } }
    try Patience.wait(for: "a successor of the frozen primary") {
      (try? primary().folder).map { $0 != folder } ?? false
    }
  }

  /// The Patroni of a server: `patroni server1.yml` for the folder `…/server1`.
  private static func watchers(of folder: String) throws -> [pid_t] {
    let file = "\(URL(fileURLWithPath: folder).lastPathComponent).yml"
    let parent = URL(fileURLWithPath: folder).deletingLastPathComponent().path
    return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
      .filter { pid in
        let command = try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8)
        let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd")
        return command?.contains("patroni\0\(file)") == true && place == parent
      }
  }

  private static func children(of pid: pid_t) throws -> [pid_t] {
    try String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
      .split(separator: " ").compactMap { pid_t($0) }
  }
}
