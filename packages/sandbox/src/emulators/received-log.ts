const usualItems = 500;

/** What an emulator received, oldest first; a full log drops its oldest item. */
export interface ReceivedLog<Item> {
  readonly add: (item: Item) => void;
  /** Replaces an item without calling the listeners. */
  readonly replace: (item: Item, next: Item) => void;
  readonly remove: (item: Item) => void;
  readonly list: () => readonly Item[];
  readonly clear: () => void;
  /** Calls the listener for each later item; returns a function that unsubscribes it. */
  readonly onReceived: (listener: (item: Item) => void) => () => void;
}

export function createReceivedLog<Item>(maxItems = usualItems): ReceivedLog<Item> {
  let items: readonly Item[] = [];
  const listeners = new Set<(item: Item) => void>();
  return {
    add(item) {
      items = [...items.slice(1 - maxItems), item];
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
