import Foundation
import SyncServer
import TestSupport
import Testing

@Suite struct KeyFileTests {
  private func file(_ text: String, rights: Int = 0o600) throws -> (TestFolder, URL) {
    let folder = try TestFolder()
    let file = folder.file("keys")
    try Data(text.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: file.path)
    return (folder, file)
  }

  @Test(arguments: [
    ("0123456789abcdef anna home=write\n", 0o600, 0),
    ("0123456789abcdef anna home=write\n", 0o640, 0),
    ("0123456789abcdef anna home=write\n", 0o644, 1), ("# none yet\n", 0o600, 1), ("", 0o604, 2),
  ])
  func whatIsOddAboutAFileIsWarnedOf(_ text: String, _ rights: Int, _ count: Int) throws {
    let (folder, file) = try file(text, rights: rights)
    let warnings = Occurrences()
    _ = try KeyFile(file) { _ in warnings.note() }
    #expect(warnings.count == count)
    withExtendedLifetime(folder) {}
  }

  @Test func aLineIsAKeyWithRights() throws {
    let (folder, file) = try file(
      "# nothing\n\n0123456789abcdef anna home=write,Account=read,Note=read *=read # hers\n")
    let key = try #require(try KeyFile(file).key("0123456789abcdef"))
    #expect(key.name == "anna")
    #expect(key.rights(in: "home") == SyncRights(readOnly: ["Account", "Note"]))
    #expect(key.rights(in: "else") == SyncRights(mayWrite: false))
    #expect(try KeyFile(file).key("0123456789abcde") == nil)
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: [
    "short anna home=write", "0123456789abcdef anna", "0123456789abcdef anna home",
    "0123456789abcdef anna home=all", "0123456789abcdef anna home=write,Note=write",
    "0123456789abcdef a home=read\n0123456789abcdef b home=read",
  ])
  func faultsAreNamedByTheirLine(_ text: String) throws {
    let (folder, file) = try file("\n" + text)
    let error = #expect(throws: KeyFileError.self) { try KeyFile(file) }
    #expect(error?.line == (text.contains("\n") ? 3 : 2))
    withExtendedLifetime(folder) {}
  }

  /// A file that somebody is about to write shuts nobody out.
  @Test func aDamagedFileKeepsTheKeysOfBefore() throws {
    let (folder, file) = try file("0123456789abcdef anna home=write\n")
    let warnings = Occurrences()
    let keys = try KeyFile(file) { _ in warnings.note() }
    try Data("0123456789abcdef anna home=wr".utf8).write(to: file)
    for _ in 0..<3 { #expect(keys.key("0123456789abcdef") != nil) }
    #expect(warnings.count == 1)
    try FileManager.default.removeItem(at: file)
    #expect(keys.key("0123456789abcdef") != nil)
    #expect(warnings.count == 2)
    try Data("fedcba9876543210 bob home=read\n".utf8).write(to: file)
    #expect(keys.key("0123456789abcdef") == nil)
    #expect(keys.key("fedcba9876543210") != nil)
    #expect(warnings.count == 2)
    withExtendedLifetime(folder) {}
  }

  @Test func keysThatWereTakenOutOpenNothing() throws {
    let (folder, file) = try file(
      "# a\n0123456789abcdef anna home=write\nfedcba9876543210 bob home=read\n")
    let keys = try KeyFile(file)
    #expect(keys.key("0123456789abcdef") != nil)
    #expect(try KeyFile.revoke("anna", in: file) == 1)
    #expect(try KeyFile.revoke("anna", in: file) == 0)
    #expect(keys.key("0123456789abcdef") == nil)
    #expect(keys.key("fedcba9876543210") != nil)
    #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("# a\n"))
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    withExtendedLifetime(folder) {}
  }
}
