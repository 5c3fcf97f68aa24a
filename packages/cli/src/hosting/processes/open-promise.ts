export interface OpenPromise<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

/** `Promise.withResolvers`, which Node 20 does not have. A rejection that nobody waits for is no fault. */
export function openPromise<Value>(): OpenPromise<Value> {
  const settle: Partial<Omit<OpenPromise<Value>, 'promise'>> = {};
  const promise = new Promise<Value>((resolve, reject) => {
    Object.assign(settle, { resolve, reject });
  });
  promise.catch(() => {});
  return {
    promise,
    resolve: (value) => settle.resolve?.(value),
    reject: (error) => settle.reject?.(error),
  };
}
