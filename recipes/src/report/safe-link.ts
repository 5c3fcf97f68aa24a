const protocols = new Set(['http:', 'https:', 'mailto:']);
const maxLength = 2000;
/** Addresses that need no encoding (RFC 3986). */
const unreserved = /^(?:https?:\/\/|mailto:)[\w!#$%&'()*+,./:;=?@[\]~-]+$/;
const blanksAndControls =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/;

/**
 * Returns the address that a link may lead to: http, https or mailto, at most 2000 ASCII characters, without a user name
 * (`https://bank.example@evil.example` passes for the bank), and mailto without subject or copies. Undefined for any other
 * address: the caller keeps the text of the link only.
 */
export function toSafeUrl(address: string): string | undefined {
  if (address.length > maxLength || blanksAndControls.test(address)) return undefined;
  const url = readUrl(address);
  if (url === undefined || !protocols.has(url.protocol) || url.username !== '' || url.password !== '') {
    return undefined;
  }
  if (url.protocol === 'mailto:') {
    // Text after `?` would prefill a mail with content that its sender did not write.
    return /^[^@\s"<>]+@[^@\s"<>]+$/.test(url.pathname) ? `mailto:${url.pathname}` : undefined;
  }
  const safe = unreserved.test(address) ? address : url.href;
  return safe.length > maxLength ? undefined : safe;
}

/** Not `URL.canParse`: once optimised, Node 20's rejects addresses with letters such as ü. */
function readUrl(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
