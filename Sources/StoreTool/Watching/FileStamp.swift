import Foundation

/// Size and time of a store's file and of its log: another process that saves changes one of them.
struct FileStamp: Equatable {
  private let numbers: [Int]

  init(_ url: URL) {
    numbers = ["", "-wal"].flatMap { suffix in
      var status = stat()
      // A file that is not there has zeros.
      guard stat(url.path + suffix, &status) == 0 else { return [0, 0, 0, 0] }
      return [
        Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
      ]
    }
  }
}
