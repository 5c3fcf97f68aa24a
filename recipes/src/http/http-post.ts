import type { HttpAddress } from './http-address.ts';

/** One request to somebody's own address. */
export interface HttpPost {
  /** JSON text, exactly as it is signed. */
  readonly body: string;
  /** Where it goes and how it is signed: no part of what it says, so that a new secret sends nothing again. */
  readonly to: HttpAddress;
}
