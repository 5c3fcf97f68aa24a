/** A server that tests may use, or why there is none and the one command that brings it. */
export type TestServer =
  | { readonly kind: 'there'; readonly address: string }
  | { readonly kind: 'missing'; readonly reason: string; readonly command: string };

/** `address`: a Redis URL; the folder of the shared embedded PostgreSQL, which starts when first used. */
export interface TestServers {
  readonly redis: TestServer;
  readonly postgres: TestServer;
}

declare module 'vitest' {
  interface ProvidedContext {
    testServers: TestServers;
  }
}
