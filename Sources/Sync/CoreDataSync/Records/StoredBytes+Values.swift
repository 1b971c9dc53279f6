import Foundation

// A value is a tag and its bytes:
//
// | tag | value | bytes |
// |---|---|---|
// | 0 | null | |
// | 1, 2 | false, true | |
// | 3 | integer | signed |
// | 4, 6 | double, date | word |
// | 5, 7, 9 | decimal, text, URL | count, UTF-8 |
// | 8 | data | count, bytes |
// | 10 | UUID | 16 bytes |
// | 11 | reference | 16 bytes |
// | 12 | position | whether there is a list, its 16 bytes, key |
// | 13 | blob | hash, signed size |
// | 14 | composite | count, each name and value |

extension StoredWriter {
  mutating func write(_ value: SyncValue) {
    switch value {
    case .null: write(0 as UInt8)
    case .bool(let flag): write(flag ? 2 : 1 as UInt8)
    case .integer(let number):
      write(3 as UInt8)
      write(signed: number)
    case .double(let number):
      write(4 as UInt8)
      write(word: number.bitPattern)
    case .decimal(let digits):
      write(5 as UInt8)
      write(text: digits)
    case .date(let seconds):
      write(6 as UInt8)
      write(word: seconds.bitPattern)
    case .text(let text):
      write(7 as UInt8)
      write(text: text)
    case .data(let data):
      write(8 as UInt8)
      write(blob: data)
    case .url(let text):
      write(9 as UInt8)
      write(text: text)
    case .uuid(let uuid):
      write(10 as UInt8)
      write(RecordID(uuid))
    case .reference(let id):
      write(11 as UInt8)
      write(id)
    case .position(let list, let key):
      write(12 as UInt8)
      write(list) { $0.write($1) }
      write(text: key)
    case .blob(let hash, let size):
      write(13 as UInt8)
      write(blob: hash)
      write(signed: size)
    case .composite(let parts):
      write(14 as UInt8)
      write(parts.sorted { $0.key < $1.key }) {
        $0.write(text: $1.key)
        $0.write($1.value)
      }
    }
  }
}

extension StoredReader {
  mutating func value() throws -> SyncValue {
    switch try byte() {
    case 0: .null
    case 1: .bool(false)
    case 2: .bool(true)
    case 3: .integer(try signed())
    case 4: .double(Double(bitPattern: try word()))
    case 5: .decimal(try text())
    case 6: .date(Double(bitPattern: try word()))
    case 7: .text(try text())
    case 8: .data(Data(try blob()))
    case 9: .url(try text())
    case 10: .uuid(UUID(try id()))
    case 11: .reference(try id())
    case 12: .position(list: try optional { try $0.id() }, key: try text())
    case 13: .blob(hash: Data(try blob()), size: try signed())
    case 14:
      .composite(
        Dictionary(try items { (try $0.text(), try $0.value()) }) { first, _ in first })
    default: throw Damage()
    }
  }
}
