const protocols = new Set(['http:', 'https:', 'mailto:']);
const maxLength = 2000;
/** What RFC 3986 lets stand in an address as it is. */
const unreserved = /^(?:https?:\/\/|mailto:)[\w!#$%&'()*+,./:;=?@[\]~-]+$/;
const blanksAndControls =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/;

/**
 * The address a link may lead to: http, https or mailto, at most 2000 characters of ASCII, without a name before
 * `@` in front of the host (it passes for the host), and a mailto without a subject or copies of its own. Nothing when
 * it is none of these: then only the words of the link are kept.
 */
export function safeLink(address: string): string | undefined {
  if (address.length > maxLength || blanksAndControls.test(address)) return undefined;
  const url = readUrl(address);
  if (url === undefined || !protocols.has(url.protocol) || url.username !== '' || url.password !== '') {
    return undefined;
  }
  if (url.protocol === 'mailto:') {
    // What a mailto holds behind `?` would fill in a mail that the reader did not mean to write.
    return /^[^@\s"<>]+@[^@\s"<>]+$/.test(url.pathname) ? `mailto:${url.pathname}` : undefined;
  }
  const safe = unreserved.test(address) ? address : url.href;
  return safe.length > maxLength ? undefined : safe;
}

/** Not `URL.canParse`: once it is hot, that of Node 20 takes no address with a letter such as ü for one. */
function readUrl(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
