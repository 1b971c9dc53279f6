import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

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

  /// Keys of every kind of spread, entered and taken out in any order, against a dictionary.
  @Test(arguments: [1, 3, 8, 64, 4096, 1 << 40] as [UInt64], 1...8 as ClosedRange<UInt64>)
  func comingAndGoingAgreesWithADictionary(distance: UInt64, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let table = WeakTable<Member>()
    var members: [UInt64: Member] = [:]
    for round in 0..<4000 {
      let key = 1 + distance &* UInt64.random(in: 0..<300, using: &random)
      if let member = members[key], Bool.random(using: &random) || round > 3000 {
        members[key] = nil
        table.remove(member, for: key)
      } else if members[key] == nil, round <= 3000 {
        let member = Member()
        members[key] = member
        if round.isMultiple(of: 2) {
          table.insert(member, for: key)
        } else {
          #expect(table.withBatch { $0.insertIfNone(member, for: key) }.result == nil)
        }
      }
      if round.isMultiple(of: 500) {
        let found = Set(table.objects().map(ObjectIdentifier.init))
        #expect(found == Set(members.values.map(ObjectIdentifier.init)))
        for (key, member) in members {
          #expect(table.withBatch { $0.insertIfNone(Member(), for: key) }.result === member)
        }
      }
      let asked = 1 + distance &* UInt64.random(in: 0..<320, using: &random)
      guard table.object(for: asked) === members[asked], table.count == members.count else {
        Issue.record("after \(round) rounds, key \(asked)")
        return
      }
    }
    for (key, member) in members { table.remove(member, for: key) }
    #expect(table.isEmpty && table.objects().isEmpty)
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
