/** The address, or what it must be; the address itself is never repeated. */
export type AddressResult =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly expected: string };

const addressKind = 'a web address that begins with https:// or http://';

/** The address of a service: its origin and the path before its own paths, without a slash at the end. */
export function parseAddress(value: unknown): AddressResult {
  if (typeof value !== 'string' || !URL.canParse(value)) return { ok: false, expected: addressKind };
  const { protocol, username, password, origin, pathname, href } = new URL(value);
  if (protocol !== 'https:' && protocol !== 'http:') return { ok: false, expected: addressKind };
  if (username !== '' || password !== '') {
    return { ok: false, expected: `${addressKind}, without a user or password` };
  }
  if (/[?#]/.test(href)) {
    return { ok: false, expected: `${addressKind}, without a query or a fragment (? or #)` };
  }
  return { ok: true, address: origin + pathname.replace(/\/+$/, '') };
}
