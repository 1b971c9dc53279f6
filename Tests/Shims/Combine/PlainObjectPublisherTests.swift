import Combine
import CoreData
import Testing

struct PlainObjectPublisherTests {
  private final class Cart: NSObject, KeyValueObservable {
    var count = 0

    func set(_ count: Int) {
      willChangeValue(forKey: "count")
      self.count = count
      didChangeValue(forKey: "count")
    }

    func value(forKey key: String) -> Any? { count }
    func setValue(_ value: Any?, forKey key: String) {}
  }

  @Test func propertiesArePublished() {
    let cart = Cart()
    var (values, changes) = ([Int](), 0)
    var subscriptions: Set<AnyCancellable> = []
    cart.publisher(for: \.count).sink { values.append($0) }.store(in: &subscriptions)
    cart.publisher(for: \.count).didChange().sink { changes += 1 }.store(in: &subscriptions)
    cart.set(1)
    cart.set(2)
    subscriptions = []
    cart.set(3)
    #expect(values == [0, 1, 2])
    #expect(changes == 2)
  }
}
