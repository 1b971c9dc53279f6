// What clients declare in place of a number or a text.

enum IntCase: Int { case first, second = 7 }
enum Int16Case: Int16 { case first, second = 7 }
enum Int32Case: Int32 { case first, second = 7 }
enum Int64Case: Int64 { case first, second = 7 }
enum StringCase: String {
  case first = ""
  case second
}

struct Options: OptionSet, Hashable {
  let rawValue: Int
  static let second = Options(rawValue: 2)
}
