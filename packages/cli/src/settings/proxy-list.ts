import { isIP } from 'node:net';

import { z } from 'zod';

/** Addresses and ranges of proxies that are believed, separated by commas: `10.0.0.0/8, ::1`. */
export const proxyList = z
  .string()
  .transform((list) => list.split(',').map((entry) => entry.trim()))
  .pipe(
    z.array(
      z.string().refine(isAddressOrRange, {
        error: 'IP addresses or ranges such as 10.0.0.0/8, separated by commas',
      }),
    ),
  );

/**
 * An IP address, or one with the number of its leading bits that count (RFC 4632, RFC 4291 2.3). None of them would
 * believe everybody; and the receiver knows a peer `::ffff:10.0.0.1` as 10.0.0.1, so a range is written that way too.
 */
function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  if (bits === undefined) return true;
  if (version === 6 && address.includes('.')) return false;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
