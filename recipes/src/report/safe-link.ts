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
  const text = label
    .normalize('NFKC')
    .replaceAll(invisible, '')
    .replaceAll(/[\u2024\u3002]/g, '.')
    .trim();
  const real = readUrl(url);
  if (real === undefined || text.length > maxLength) return undefined;
  if (real.protocol === 'mailto:') {
    const [named] = addressPattern.exec(text) ?? [];
    const address = real.pathname;
    const host = address.slice(address.lastIndexOf('@') + 1);
    const isOther =
      named === undefined
        ? listHosts(text).some((one) => one !== foldHost(host))
        : named.toLowerCase() !== address.toLowerCase();
    return isOther ? address : undefined;
  }
  return listHosts(text).some((host) => host !== foldHost(real.host)) ? real.host : undefined;
}

const invisible = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;
const addressPattern = /[^\s@<>"(),:;]{1,64}@[^\s@<>"(),:;]{1,255}/;
/** Behind `://` or `@`, or words with dots between them. */
const hostPattern =
  /(?:\/\/|@)([^\s/?#@<>"()]{1,255})|(?<![\p{L}\p{N}.-])((?:[\p{L}\p{N}-]{1,63}\.){1,9}[\p{L}\p{N}-]{1,63})(?![\p{L}\p{N}-])/giu;

/** The hosts that a text names, as they are compared. */
function listHosts(text: string): readonly string[] {
  return [...text.matchAll(hostPattern)].flatMap(([, sure, words = '']) => {
    if (sure !== undefined) return [foldHost(sure)];
    return looksLikeHost(words) ? [foldHost(words)] : [];
  });
}

const fileEndings: ReadonlySet<string> = new Set(
  'csv doc docx gif gz html java jpeg jpg js json key log mov mp3 mp4 numbers pages pdf php png ppt pptx rar rb sql svg tar ts txt wav xls xlsx xml yaml yml zip'.split(
    ' ',
  ),
);

/** Domains that names are often written with, in any case. */
const commonDomains: ReadonlySet<string> = new Set('com org net edu gov io'.split(' '));

/** Whether words with dots are a host or an IP address, and no file (`plan.pdf`, `README.md`), name (`Ann.Lee`) or number. */
function looksLikeHost(words: string): boolean {
  if (/^(?:\d{1,3}\.){3}\d{1,3}$/.test(words)) return true;
  const labels = words.split('.');
  const last = labels.at(-1) ?? '';
  if (labels.length === 2 && fileEndings.has(last.toLowerCase())) return false;
  if (commonDomains.has(last.toLowerCase()) || last.startsWith('xn--')) return true;
  return words === words.toLowerCase() && /^\p{L}{2,}$/u.test(last);
}

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
