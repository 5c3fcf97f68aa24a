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

/**
 * What a link shows beside its label when the label reads as the address of another host, or as another mail address: the real
 * one. Undefined for words and for a label that tells the truth; `www.` makes no difference.
 */
export function findMaskedHost(label: string, url: string): string | undefined {
  const text = label.replaceAll(zeroWidth, '').trim();
  const real = readUrl(url);
  if (real === undefined || text.length > maxLength) return undefined;
  if (real.protocol === 'mailto:') {
    const [named] = addressPattern.exec(text) ?? [];
    const address = real.pathname;
    return named !== undefined && named.toLowerCase() !== address.toLowerCase() ? address : undefined;
  }
  const named = [...text.matchAll(hostPattern)].map(([, behind, www, whole]) =>
    foldHost(behind ?? www ?? whole ?? ''),
  );
  return named.some((host) => host !== foldHost(real.host)) ? real.host : undefined;
}

const zeroWidth = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;
const addressPattern = /[^\s@<>"(),:;]{1,64}@[^\s@<>"(),:;]{1,255}/;
/** What reads as a host: after `://` or `@`, after `www.`, or as a whole label. */
const hostPattern =
  /(?:\/\/|@)([^\s/?#@<>"()]{1,255})|(?<![\p{L}\p{N}.-])(www\.[^\s/?#@<>"()]{1,255})|^((?:[\p{L}\p{N}-]{1,63}\.){1,9}[\p{L}-]{2,63}(?::\d{1,5})?)(?=$|[/?#])/giu;

/** Lower case, in ASCII, without `www.` and the signs around it. */
function foldHost(host: string): string {
  const name = host.replace(/[.,;:!?'"]{1,9}$/, '');
  return (readUrl(`http://${name}`)?.host ?? name).toLowerCase().replace(/^www\./, '');
}

/** Not `URL.canParse`: once optimised, Node 20's rejects addresses with letters such as ü. */
function readUrl(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
