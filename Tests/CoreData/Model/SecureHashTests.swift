import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

struct SecureHashTests {
  private static let twoBlocks =
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
    + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (twoBlocks, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
  ])
  func hashesTo256Bits(text: String, expected: String) {
    #expect(SHA256Digest.hash(Array(text.utf8)).hexadecimal == expected)
  }

  @Test(arguments: [
    (
      "abc",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (
      twoBlocks,
      "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
        + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
    ),
  ])
  func hashesTo512Bits(text: String, expected: String) {
    #expect(SHA512Digest.hash(Array(text.utf8)).hexadecimal == expected)
  }

  @Test func padsEveryLengthToWholeBlocks() {
    var seen: Set<[UInt8]> = []
    for length in 0..<260 {
      let message = [UInt8](repeating: 0x61, count: length)
      #expect(seen.insert(SHA256Digest.hash(message)).inserted)
      #expect(seen.insert(SHA512Digest.hash(message)).inserted)
    }
  }

  @Test func hashesAMillionLetters() {
    let message = [UInt8](repeating: 0x61, count: 1_000_000)
    #expect(
      SHA256Digest.hash(message).hexadecimal
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }
}
