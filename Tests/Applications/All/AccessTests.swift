import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Who may read what an application writes, and who is let in.
@Suite(.serialized) struct AccessTests {
  private static let all =
    ["nested-lists", "goods", "books", "heroes", "employees", "todomvc", "swiftdata-lists"]

  private func mode(_ file: URL) throws -> Int {
    let found = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    return try #require(found as? Int)
  }

  @Test(arguments: all) func whatAnApplicationWritesIsItsUsersAlone(_ name: String) throws {
    let folder = try TemporaryFolder()
    let home = folder.file("home")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    let store = home.appendingPathComponent("Store.sqlite")
    let application = try ApplicationProcess(name, store: store)
    var seen: [String] = []
    for case let file as URL in try #require(
      FileManager.default.enumerator(at: home, includingPropertiesForKeys: nil))
    where file.pathExtension != "errors" {
      let isFolder = try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
      // Settings and caches of the system's are its own affair, but for others' eyes.
      #expect(try mode(file) & 0o077 == 0, "\(file.path)")
      if !isFolder { seen.append(file.lastPathComponent) }
    }
    for name in ["Store.sqlite", "Store.sqlite-wal", "Store.sqlite-shm"] {
      #expect(seen.contains(name), "\(seen)")
    }
    application.kill()
  }

  @Test func aRestartKeepsTheKeyAndAnotherKeyIsMadeOnRequest() async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    var keys: [String] = []
    var session: String?
    for arguments in [[], [], ["--new-key"], []] {
      let application = try ApplicationProcess(store: store, arguments: arguments)
      let address = application.address
      keys.append(try #require(address.fragment))
      if let session {
        let isIn = try await enter(address, "Session \(session)").status == 200
        #expect(isIn == (keys.count == 2))
        let isLetIn = try await enter(address, "Key \(keys[0].dropFirst(4))").status == 200
        #expect(isLetIn == (keys.count == 2))
      } else {
        session = try await enter(address, "Key \(keys[0].dropFirst(4))").session
        #expect(session != nil)
      }
      #expect(application.terminate() == 0)
    }
    #expect(keys[0] == keys[1] && keys[1] != keys[2] && keys[2] == keys[3])
    #expect(keys.allSatisfy { $0.hasPrefix("key=") })
  }

  @Test func moreWindowsAreGrantedOnRequest() async throws {
    let folder = try TemporaryFolder()
    let application = try ApplicationProcess(
      store: folder.file("Lists.sqlite"), arguments: ["--windows", "2"])
    _ = try await WindowClient(application.address)
    _ = try await WindowClient(application.address)
    await #expect(throws: ApplicationError.self) { try await WindowClient(application.address) }
    application.kill()
    let (status, errors) = try ApplicationProcess.runToEnd(
      home: folder.url, ["--store", folder.file("x").path, "--windows", "0"])
    #expect(status != 0 && errors.contains("--windows"))
  }

  private func enter(
    _ address: URL, _ authorization: String
  ) async throws -> (status: Int, session: String?) {
    var request = URLRequest(url: try Door.url("w", address))
    request.httpMethod = "POST"
    request.httpBody = Data(#"{"place":"","isLoaded":true}"#.utf8)
    request.setValue("http://127.0.0.1:\(address.port ?? 0)", forHTTPHeaderField: "Origin")
    request.setValue(authorization, forHTTPHeaderField: "Authorization")
    let (data, response) = try await PatientSession.shared.data(for: request)
    let session = String(decoding: data, as: UTF8.self).firstMatch(of: /"session":"(\w+)"/)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, session.map { String($0.1) })
  }
}
