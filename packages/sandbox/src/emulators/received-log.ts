/** What an emulator received, oldest first; a full log drops its oldest item. */
export type ReceivedLog<Item> = ReturnType<typeof createReceivedLog<Item>>;

export function createReceivedLog<Item>(maxItems = 500) {
  let items: readonly Item[] = [];
  const listeners = new Set<(item: Item) => void>();
  return {
    add(item: Item): void {
      items = [...items.slice(1 - maxItems), item];
      for (const listener of listeners) listener(item);
    },
    /** Replaces an item without calling the listeners. */
    replace(item: Item, next: Item): void {
      items = items.map((known) => (known === item ? next : known));
    },
    remove(item: Item): void {
      items = items.filter((known) => known !== item);
    },
    list: () => items,
    clear(): void {
      items = [];
    },
    /** Calls the listener for each later item; returns a function that unsubscribes it. */
    onReceived: (listener: (item: Item) => void): (() => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
