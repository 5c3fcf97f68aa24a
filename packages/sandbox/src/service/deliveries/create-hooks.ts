/**
 * Functions to be called for everything that is under way, should it all end at once. Not a `Set`: one with as much
 * coming and going leaves tables behind that keep what was in them from being collected young, at twice the cost of
 * sending a delivery.
 */
export interface Hooks {
  /** Returns what takes it out again. */
  readonly add: (hook: () => void) => () => void;
  readonly callAll: () => void;
}

export function createHooks(): Hooks {
  const hooks: ((() => void) | undefined)[] = [];
  const emptyPlaces: number[] = [];
  return {
    add(hook) {
      const place = emptyPlaces.pop() ?? hooks.length;
      hooks[place] = hook;
      return () => {
        hooks[place] = undefined;
        emptyPlaces.push(place);
      };
    },
    callAll() {
      for (const hook of hooks) hook?.();
    },
  };
}
