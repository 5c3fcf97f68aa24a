/** A call as a test sees it before it is played. */
export interface InterceptedRequest {
  readonly method: string;
  readonly path: string;
  /** The parsed body, or undefined where there is none. */
  readonly body: unknown;
}

/**
 * What becomes of a call: played as usual; read and never answered, with no effect (`hang`); played and then
 * cut without an answer (`drop_after`); or answered by the test itself, with no effect.
 */
export type Interception =
  | 'pass'
  | 'hang'
  | 'drop_after'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Sent as JSON unless it is text. */
      readonly body?: unknown;
    };

/** A test's hook into every call of a stand-in. */
export type Intercept = (request: InterceptedRequest) => Interception | Promise<Interception>;
