import { createHash } from 'node:crypto';

/** What sending to an address needs. */
export interface HttpAddressFacts {
  /** May carry a token: it is shown to nobody. */
  readonly url: URL;
  /** What requests are signed with: one signature for each. */
  readonly keys: readonly Buffer[];
  /** Sent as they are, beside our own. */
  readonly headers: Readonly<Record<string, string>>;
  /** Addresses of this machine and of its network are taken. */
  readonly isPrivateAllowed: boolean;
  /** What every answer of this receiver itself holds: one without it is somebody else's. Absent: its status alone counts. */
  readonly expected?: string;
}

/**
 * Somebody's own address with its secrets. Whatever is printed, stored or hashed of it is its host alone: a message
 * that goes there is hashed to see whether it has changed, and previewed.
 */
export class HttpAddress {
  readonly #facts: HttpAddressFacts;

  constructor(facts: HttpAddressFacts) {
    this.#facts = facts;
  }

  /** With the port, where it is not the usual one. */
  get host(): string {
    return this.#facts.url.host;
  }

  /** Tells two addresses of one host apart, without their paths: `hooks.example.com#1f0c9a2b`. */
  get label(): string {
    const { host, href } = this.#facts.url;
    return `${host}#${createHash('sha256').update(href, 'utf8').digest('hex').slice(0, 8)}`;
  }

  reveal(): HttpAddressFacts {
    return this.#facts;
  }

  toJSON(): { readonly host: string } {
    return { host: this.host };
  }
}
