#if PortedSources
  import SourcePorter
  import Testing

  /// What each construct becomes. What is on one line stays there.
  @Suite struct RewritingTests: RewritingSuite {
    @Test(arguments: [
      Rewriting("@objc enum Kind: Int16 { case a, b }", "enum Kind: Int16 { case a, b }"),
      Rewriting("class A { @nonobjc func f() {} }", "class A { func f() {} }"),
      Rewriting("class A { dynamic var a = 1 }", "class A { var a = 1 }"),
      Rewriting(
        "class A { unowned let item: NSManagedObject }", "class A { let item: NSManagedObject }"),
      Rewriting(
        "class Item: NSManagedObject {}; struct A { unowned(unsafe) var item: Item? }",
        "class Item: NSManagedObject {}; struct A { var item: Item? }"),
      Rewriting("class A { unowned let context: B }", "class A { unowned let context: B }"),
      Rewriting("@UIApplicationMain class A {}", "class A {}"),
      Rewriting(
        "@Generable struct A { @Guide(description: \"b\", .count(2)) var b: [Int] }",
        "struct A { var b: [Int] }"),
      Rewriting(
        "@propertyWrapper struct Guide { var wrappedValue = 1 }; struct A { @Guide var b }",
        "@propertyWrapper struct Guide { var wrappedValue = 1 }; struct A { @Guide var b }"),
      Rewriting("@IBDesignable class A {}", "class A {}"),
      Rewriting(
        "var f: @convention(block) (Int) -> Void = { _ in }", "var f: (Int) -> Void = { _ in }"),
      Rewriting(
        "class A { @objc(\n  b:\n) static func b(_ x: Int) {} }",
        "class A { \n\n static func b(_ x: Int) {} }"),
    ]) func attributesGo(_ rewriting: Rewriting) { expect(rewriting) }

    /// Classes of models and of other modules are as managed as the target's own.
    @Test(arguments: [
      Rewriting("let a = Base()", "let a = ObjectiveCSupport.uninitialized(Base.self)"),
      Rewriting(
        "private class Item: Base {}; let a = Item()",
        "class Item_File: Base {}; let a = ObjectiveCSupport.uninitialized(Item_File.self)"),
      Rewriting("class A { unowned let item: Base }", "class A { let item: Base }"),
      Rewriting("class A { unowned let item: Other }", "class A { unowned let item: Other }"),
      Rewriting("struct Base {}; let a = Base()", "struct Base {}; let a = Base()"),
      Rewriting(
        "a.books = []; a.other = []", "a.books = ObjectiveCSupport.literal([]); a.other = []"),
      Rewriting(
        "func a<T>(_ b: T.Type) -> T where T: Base { T() }",
        "func a<T>(_ b: T.Type) -> T where T: Base { ObjectiveCSupport.uninitialized(T.self) }"),
      Rewriting(
        "struct A<T: NSManagedObject> { func b() -> T { return T() } }",
        "struct A<T: NSManagedObject> { func b() -> T { return ObjectiveCSupport.uninitialized(T.self) } }"
      ),
      Rewriting("func a<T: Other>() -> T { T() }", "func a<T: Other>() -> T { T() }"),
    ]) func classesOfOtherModules(_ rewriting: Rewriting) {
      expect(rewriting, ["managedObject(Base)", "toMany(books)", "os(iOS)"])
    }

    /// Generated code sees classes that are private in their file.
    @Test(arguments: [
      Rewriting(
        "private final class Item: NSManagedObject { var other: Item? }; let a = \\Item.other; let b: [Item] = c.Item",
        "final class Item_File: NSManagedObject { var other: Item_File? }; let a = \\Item_File.other; let b: [Item_File] = c.Item"
      ),
      Rewriting(
        "fileprivate class Item: Base {}; class Base: NSManagedObject {}; let a = Item()",
        "class Item_File: Base {}; class Base: NSManagedObject {}; let a = ObjectiveCSupport.uninitialized(Item_File.self)"
      ),
      Rewriting(
        "private class Item: NSManagedObject { var kind: Kind }; private enum Kind { case a }; private func b(_ c: Kind?) {}",
        "class Item_File: NSManagedObject { var kind: Kind_File }; enum Kind_File { case a }; private func b(_ c: Kind_File?) {}"
      ),
      Rewriting(
        "private class Item: Base {}; let a = Item()", "private class Item: Base {}; let a = Item()"
      ),
      Rewriting(
        "class A: NSManagedObject { public subscript(name: String) -> Any? { get { 1 } set {} } }",
        "class A: NSManagedObject { public override subscript(name: String) -> Any? { get { 1 } set {} } }"
      ),
      Rewriting(
        "class A: NSManagedObject { subscript(a name: String) -> Any? { get { 1 } set {} } }",
        "class A: NSManagedObject { subscript(a name: String) -> Any? { get { 1 } set {} } }"),
      Rewriting(
        "class A: B { subscript(name: String) -> Any? { get { 1 } set {} } }",
        "class A: B { subscript(name: String) -> Any? { get { 1 } set {} } }"),
    ]) func classesOfCoreData(_ rewriting: Rewriting) { expect(rewriting) }

    /// A session without a configuration is there on Apple's systems only.
    @Test(arguments: [
      Rewriting(
        "class A: URLSession { var b = 1 }; class B: A {}; let c = (A(), B(), URLSession())",
        "class A: URLSession { var b = 1 }; class B: A {}; let c = (A(configuration: .default), B(configuration: .default), URLSession())"
      ),
      Rewriting(
        "class A: URLSession { override init() { b = 1; super.init() } }; let c = A()",
        "class A: URLSession { init() { b = 1; super.init(configuration: .default) } }; let c = A()"
      ),
      Rewriting(
        "class A: URLSession { init() { b = 1 } }",
        "class A: URLSession { init() { b = 1; super.init(configuration: .default) } }"),
      Rewriting(
        "class A: URLSession { override init() {} }",
        "class A: URLSession { init() {super.init(configuration: .default)} }"),
      Rewriting(
        "class A: URLSessionDataTask { override init() {} }; let c = A()",
        "class A: URLSessionDataTask { override init() {} }; let c = A()"),
    ]) func sessionsHaveAConfiguration(_ rewriting: Rewriting) { expect(rewriting) }

    @Test(arguments: [
      ("class A: NSAtomicStore { init(a: Int) { super.init() } }", true),
      ("class A: NSIncrementalStore { init() {}; convenience init(b: Int) {} }", true),
      ("class A: NSAtomicStore { convenience init(b: Int) {} }", false),
      ("class A: B { init() {} }", false),
      (
        "class A: NSAtomicStore { init(persistentStoreCoordinator a: B, configurationName: C, at: D, options: E) {}; init() {} }",
        false
      ),
    ]) func storesHaveTheirInitializer(_ source: String, _ isAdded: Bool) {
      #expect(body(source).contains("required init(persistentStoreCoordinator root:") == isAdded)
    }

    @Test(arguments: [
      Rewriting(
        "let a: Foundation.ValueTransformer = Foundation.ValueTransformer()",
        "let a: ObjectiveCSupport.ValueTransformer = ObjectiveCSupport.ValueTransformer()"),
      Rewriting("let a: Foundation.Date", "let a: Foundation.Date"),
      Rewriting(
        "extension NSManagedObjectModel { static func a() { self.init() } }",
        "extension NSManagedObjectModel { static func a() { NSManagedObjectModel.init() } }"),
      Rewriting(
        "extension NSManagedObjectModel { convenience init(a: Int) { self.init() } }",
        "extension NSManagedObjectModel { convenience init(a: Int) { self.init() } }"),
      Rewriting(
        "func a<T: NSPersistentStoreCoordinator>(_ type: T.Type = T.self) { b = type.init(c: 1) }",
        "func a<T: NSPersistentStoreCoordinator>(_ type: T.Type = T.self) { b = (NSPersistentStoreCoordinator.init(c: 1) as! T) }"
      ),
      Rewriting(
        "init<T>(a type: T.Type) where T: NSManagedObjectContext { b = { type.init(c: 1) } }",
        "init<T>(a type: T.Type) where T: NSManagedObjectContext { b = { (NSManagedObjectContext.init(c: 1) as! T) } }"
      ),
      Rewriting(
        "func a(type: NSPersistentContainer.Type) { type.init(name: b) }",
        "func a(type: NSPersistentContainer.Type) { NSPersistentContainer.init(name: b) }"),
      Rewriting(
        "func a<T: NSManagedObject>(type: T.Type) { type.init(context: b) }",
        "func a<T: NSManagedObject>(type: T.Type) { type.init(context: b) }"),
      Rewriting(
        "class A: NSManagedObject { var b: NSSet? }; func f(_ a: A) { a.b = [1] }",
        "class A: NSManagedObject { var b: NSSet? }; func f(_ a: A) { a.b = ObjectiveCSupport.literal([1]) }"
      ),
      Rewriting("let a: NSOrderedSet = [1]", "let a: NSOrderedSet = NSOrderedSet(array: [1])"),
      Rewriting(
        "func f() { class A: NSManagedObject { @NSManaged var b: String } }",
        "func f() { class A: NSManagedObject {  var b: String "
          + "{ get { self.managedValue(Self.managedProperty(\"b\")) } "
          + "set { self.setManagedValue(newValue, Self.managedProperty(\"b\")) } } }"
          + "; ObjectiveCSupport.registerLocalClass(A.self) { A(entity: $0, insertInto: $1) } }"),
      Rewriting(
        "func f() { class A: NSManagedObject {}; class B: A {} }",
        "func f() { class A: NSManagedObject {}"
          + "; ObjectiveCSupport.registerLocalClass(A.self) { A(entity: $0, insertInto: $1) }; class B: A {}"
          + "; ObjectiveCSupport.registerLocalClass(B.self) { B(entity: $0, insertInto: $1) } }"),
      Rewriting(
        "func f() { struct B { class A: NSManagedObject {} }; class C: NSObject {} }",
        "func f() { struct B { class A: NSManagedObject {} }; class C: NSObject {} }"),
      Rewriting(
        "class A: NSManagedObject { @NSManaged var b: String }",
        "class A: NSManagedObject { @NSManaged var b: String }"),
      Rewriting(
        "let a = Bundle(for: A.self).bundleIdentifier!",
        "let a = Bundle(for: A.self).identifier(saidToBe: nil, for: #fileID)!"),
      Rewriting(
        "let a = Bundle.main.bundleIdentifier",
        "let a = ObjectiveCSupport.mainBundle(for: #fileID)"
          + ".identifier(saidToBe: \"com.apple.dt.xctest.tool\", for: #fileID)"),
      Rewriting(
        "import XCTest; class A: XCTestCase { func b() { c(self.classForCoder) } }",
        "import XCTest; class A: XCTestCase { func b() { c(type(of: self)) } }"),
      Rewriting(
        "class A: NSObject { func b() { c(self.classForCoder) } }",
        "class A: NSObject { func b() { c(self.classForCoder) } }"),
      Rewriting("let a = running.bundleIdentifier", "let a = running.bundleIdentifier"),
      Rewriting("let a = [] as NSSet", "let a = NSSet(array: []) as NSSet"),
      Rewriting("func f(_ a: NSSet? = []) {}", "func f(_ a: NSSet? = NSSet(array: [])) {}"),
      Rewriting("func f() -> NSSet { [1] }", "func f() -> NSSet { NSSet(array: [1]) }"),
      Rewriting(
        "func f() -> NSSet? { g(); if a { return [1] }; [2]; return nil }",
        "func f() -> NSSet? { g(); if a { return NSSet(array: [1]) }; [2]; return nil }"),
      Rewriting("var a: NSSet { [] }", "var a: NSSet { NSSet(array: []) }"),
      Rewriting(
        "var a: NSSet { get { return [] } }", "var a: NSSet { get { return NSSet(array: []) } }"),
      Rewriting("func f() -> NSSet { g { [1] } }", "func f() -> NSSet { g { [1] } }"),
      Rewriting(
        "class A { var b: NSSet? }; func f(_ a: A) { g(a.b ?? []) }",
        "class A { var b: NSSet? }; func f(_ a: A) { g(a.b ?? ObjectiveCSupport.literal([])) }"),
      Rewriting(
        "class A { var b: NSSet? }; class B { var b: [Int] = [] }; func f(_ a: A?) { a?.b = [1] }",
        "class A { var b: NSSet? }; class B { var b: [Int] = [] }; func f(_ a: A?) { a?.b = ObjectiveCSupport.literal([1]) }"
      ),
      Rewriting(
        "class A { var b: [Int] = [] }; func f(_ a: A) { a.b = [1] }",
        "class A { var b: [Int] = [] }; func f(_ a: A) { a.b = [1] }"),
      Rewriting(
        "class A: NSManagedObject {}; let a = A()",
        "class A: NSManagedObject {}; let a = ObjectiveCSupport.uninitialized(A.self)"),
      Rewriting(
        "extension A { class B: NSManagedObject { var c = C() }; class C: B {} }",
        "extension A { class B: NSManagedObject { var c = ObjectiveCSupport.uninitialized(C.self) }; class C: B {} }"
      ),
      Rewriting(
        "enum A { class B: NSManagedObject {} }; let a = A.B()",
        "enum A { class B: NSManagedObject {} }; let a = ObjectiveCSupport.uninitialized(A.B.self)"),
      Rewriting(
        "enum A { class B: NSManagedObject {} }; class B {}; let a = B(); let b = c.B()",
        "enum A { class B: NSManagedObject {} }; class B {}; let a = B(); let b = c.B()"),
      Rewriting(
        "enum A { class B {}; let b = B() }; class B: NSManagedObject {}",
        "enum A { class B {}; let b = B() }; class B: NSManagedObject {}"),
      Rewriting(
        "class A: NSManagedObject { init() {} }; let a = A()",
        "class A: NSManagedObject { init() {} }; let a = A()"),
      Rewriting(
        "let a: NSMutableOrderedSet = [1]",
        "let a: NSMutableOrderedSet = ObjectiveCSupport.working(NSMutableOrderedSet(array: [1]))"),
      Rewriting(
        "let a = NSMutableOrderedSet(array: b).count",
        "let a = ObjectiveCSupport.working(NSMutableOrderedSet(array: b)).count"),
      Rewriting(
        "let a = b.c.mutableCopy() as! NSMutableOrderedSet",
        "let a = ObjectiveCSupport.working(b.c.mutableCopy()) as! NSMutableOrderedSet"),
      Rewriting(
        "let a = b?.mutableCopy() as? NSMutableOrderedSet",
        "let a = ObjectiveCSupport.working(b?.mutableCopy()) as? NSMutableOrderedSet"),
      Rewriting("let p = ProcessInfo()", "let p = ProcessInfo.processInfo"),
      Rewriting(
        "let p = Progress(totalUnitCount: 1)",
        "let p = ObjectiveCSupport.ObservableProgress(totalUnitCount: 1)"),
      Rewriting(
        "let b = unsafeBitCast(block, to: AnyObject.self)", "let b = (block as AnyObject)"),
      Rewriting("import XCTest; wait(for: [a])", "import XCTest; wait(for: [a], timeout: 86_400)"),
      Rewriting(
        "import XCTest; wait(for: [a], timeout: 1)", "import XCTest; wait(for: [a], timeout: 1)"),
      Rewriting("wait(for: [a])", "wait(for: [a])"),
      Rewriting(
        "switch a { case .stringAttributeType: 1 }",
        "switch a { case .stringAttributeType: 1 @unknown default: fatalError(\"no case of this switch is for one of "
          + "URIAttributeType, UUIDAttributeType, binaryDataAttributeType, booleanAttributeType, compositeAttributeType, "
          + "dateAttributeType, decimalAttributeType, doubleAttributeType, floatAttributeType, integer16AttributeType, "
          + "integer32AttributeType, integer64AttributeType, objectIDAttributeType, transformableAttributeType, "
          + "undefinedAttributeType\") }"),
      Rewriting(
        "switch a { case .stringAttributeType: 1; default: 2 }",
        "switch a { case .stringAttributeType: 1; default: 2 }"),
    ]) func whatFrameworksHaveElsewhere(_ rewriting: Rewriting) { expect(rewriting) }

    @Test(arguments: [
      Rewriting(
        "let r = x as! NSFetchRequest<NSFetchRequestResult>",
        "let r = ObjectiveCSupport.cast(x, to: NSFetchRequest<NSFetchRequestResult>.self)!"),
      Rewriting(
        "let r = a.copy() as? NSFetchRequest<Item>",
        "let r = ObjectiveCSupport.cast(a.copy(), to: NSFetchRequest<Item>.self)"),
      Rewriting(
        "let r = Item.fetchRequest() as NSFetchRequest<Item>",
        "let r = Item.fetchRequest() as NSFetchRequest<Item>"),
      Rewriting(
        "if let s = value(forKey: k) as? NSMutableSet {}",
        "if let s = mutableSetValue(forKey: k) as NSMutableSet? {}"),
      Rewriting(
        "let s = a.b.value(forKeyPath: k) as! NSMutableOrderedSet",
        "let s = a.b.mutableOrderedSetValue(forKeyPath: k)"),
      Rewriting("let r = x as! [NSFetchRequestResult]", "let r = x as! [NSFetchRequestResult]"),
      Rewriting(
        "let s = snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>",
        "let s = NSDiffableDataSourceSnapshot<String, NSManagedObjectID>(snapshot)"),
    ]) func castsLookPastTypeParameters(_ rewriting: Rewriting) { expect(rewriting) }

    @Test(arguments: [
      Rewriting(
        "(undo.prepare(withInvocationTarget: self) as AnyObject).set(a.b, to: old)",
        "undo.prepareInvocation(self, a.b, old) { $0.set($1, to: $2) }"),
      Rewriting(
        "(undo?.prepare(withInvocationTarget: list) as! List).clear()",
        "undo?.prepareInvocation(list) { $0.clear() }"),
      Rewriting(
        "let v = (a.b as AnyObject).value(forKey: k) as? String",
        "let v = ObjectiveCSupport.keyed(a.b).value(forKey: k) as? String"),
      Rewriting("let c = NSClassFromString(name)", "let c = ObjectiveCSupport.classNamed(name)"),
      Rewriting(
        "let c = NSStringFromClass(A.self)", "let c = ObjectiveCSupport.nameOfClass(A.self)"),
      Rewriting(
        "let b = Bundle(identifier: name)", "let b = ObjectiveCSupport.bundle(identifier: name)"),
      Rewriting("let b = Bundle(for: A.self)", "let b = Bundle(for: A.self)"),
      Rewriting(
        "extension NSFetchRequestResult where Self: Item {}",
        "extension NSFetchRequestResult where Self: Item {}"),
      Rewriting(
        "protocol P: AnyObject, NSFetchRequestResult {}",
        "protocol P: AnyObject, NSFetchRequestResult {}"),
    ]) func framework(_ rewriting: Rewriting) { expect(rewriting) }
  }
#endif
