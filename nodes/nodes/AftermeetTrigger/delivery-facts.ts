/** A request as it came: what a decision about it may look at. */
export interface DeliveryFacts {
  /** The raw bytes, which are what was signed. */
  readonly body: Uint8Array;
  /** By names in lower case, each line apart (Node's `headersDistinct`): a doubled header is seen. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
}

/** A hint of the sender for people, short and printable or not at all. Pure. */
export function readDeliveryId(lines: readonly string[] | undefined): string | null {
  const [id, ...more] = lines ?? [];
  return id !== undefined && more.length === 0 && /^[\x21-\x7e]{1,128}$/.test(id) ? id : null;
}
