/** One request to the MCP endpoint. */
interface McpHttpRequest {
  readonly method: 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly message?: Readonly<Record<string, unknown>>;
}

/** Its answer, whose body is read piece by piece: an event stream need not end. */
export interface McpHttpAnswer {
  readonly status: number;
  /** By a name in lower case. */
  readonly readHeader: (name: string) => string | null;
  /** Ends with an error when the time of the request is up. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Gives up what was not read. Never throws. */
  readonly giveUp: () => void;
}

/** Sends a request and adds the key. Throws `ServiceError` when there is no answer; any status is one. */
export type McpExchange = (request: McpHttpRequest) => Promise<McpHttpAnswer>;
