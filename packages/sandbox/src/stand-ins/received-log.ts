/** How many items a stand-in keeps: the newest ones. */
const keptItems = 500;

/** What a stand-in received, oldest first; the oldest is forgotten when the log is full. */
export interface ReceivedLog<Item> {
  readonly add: (item: Item) => void;
  /** Puts another item in the place of one that is kept. Listeners are not told. */
  readonly replace: (item: Item, next: Item) => void;
  readonly remove: (item: Item) => void;
  readonly list: () => readonly Item[];
  readonly clear: () => void;
  /** Calls the listener for each later item; returns the function that ends it. */
  readonly onReceived: (listener: (item: Item) => void) => () => void;
}

export function createReceivedLog<Item>(): ReceivedLog<Item> {
  let items: readonly Item[] = [];
  const listeners = new Set<(item: Item) => void>();
  return {
    add(item) {
      items = [...items.slice(1 - keptItems), item];
      for (const listener of listeners) listener(item);
    },
    replace(item, next) {
      items = items.map((known) => (known === item ? next : known));
    },
    remove(item) {
      items = items.filter((known) => known !== item);
    },
    list: () => items,
    clear() {
      items = [];
    },
    onReceived(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
