extension IndexPath {
  init(_ path: ListPath) { self.init(row: path.row, section: path.section) }
}
