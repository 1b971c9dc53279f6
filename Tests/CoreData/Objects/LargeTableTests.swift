import Foundation
import Testing

@testable import CoreData

/// Tables of objects from the smallest to one that lies in huge pages, 4 MB.
@Suite struct LargeTableTests {
  private final class Member {}

  @Test(arguments: [1, 6, 1_000, 200_000])
  func everyObjectIsFoundUntilItIsTakenOut(count: Int) {
    let table = WeakTable<Member>()
    let members = (0..<count).map { _ in Member() }
    for (number, member) in members.enumerated() { table.insert(member, for: UInt64(number + 1)) }
    #expect(table.count == count)
    let areFound = members.indices.allSatisfy {
      table.object(for: UInt64($0 + 1)) === members[$0]
    }
    #expect(areFound && table.object(for: UInt64(count + 1)) == nil)
    for (number, member) in members.enumerated() where number.isMultiple(of: 2) {
      table.remove(member, for: UInt64(number + 1))
    }
    let areRight = members.indices.allSatisfy {
      (table.object(for: UInt64($0 + 1)) === members[$0]) != $0.isMultiple(of: 2)
    }
    #expect(areRight && table.count == count / 2)
    for (number, member) in members.enumerated() where !number.isMultiple(of: 2) {
      table.remove(member, for: UInt64(number + 1))
    }
    #expect(table.isEmpty)
  }

  @Test func roomMadeInAdvanceBeginsEmpty() {
    let table = WeakTable<Member>()
    table.reserve(500_000)
    #expect(table.count == 0 && table.objects().isEmpty)
    let member = Member()
    table.insert(member, for: 77)
    #expect(table.objects().map(ObjectIdentifier.init) == [ObjectIdentifier(member)])
    table.remove(member, for: 77)
  }
}
