/** The address, or the rule it breaks; the address itself is never repeated. */
export type AddressReading =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly rule: string };

const kindRule = 'must be a web address that begins with https:// or http://';

/**
 * The address of a service: origin and, where there is one, the path in front of its paths; without a slash at
 * its end.
 */
export function readAddress(value: unknown): AddressReading {
  if (typeof value !== 'string' || !URL.canParse(value)) return { ok: false, rule: kindRule };
  const { protocol, username, password, origin, pathname, href } = new URL(value);
  if (protocol !== 'https:' && protocol !== 'http:') return { ok: false, rule: kindRule };
  if (username !== '' || password !== '') {
    return { ok: false, rule: 'must not hold a user or password: the service knows only the API key' };
  }
  if (/[?#]/.test(href)) return { ok: false, rule: 'must not hold a query or a fragment (? or #)' };
  return { ok: true, address: origin + pathname.replace(/\/+$/, '') };
}
