import { headerName } from '../prebuilt/http-forward/reserved-headers.ts';

const secretName = /secret|token|password|authorization|headers?$/i;
const addressName = /^url$|Url$|^webhook$/;
const HIDDEN = '(hidden)';

/** The options of a recipe for people and `--json`: secrets and headers hidden, of an address only where it leads. */
export function redactOptions(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, redact(name, value)]));
}

/** Of an address the part that is no secret: `https://hooks.example.com/…`. */
export function redactAddress(address: string): string {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return HIDDEN;
  const { protocol, host, pathname, search } = new URL(address);
  return `${protocol}//${host}${pathname === '/' && search === '' ? '' : '/…'}`;
}

function redact(name: string, value: unknown): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((item) => redact(name, item));
  if (/headers?$/i.test(name) && typeof value === 'object') {
    return Object.fromEntries(
      Object.keys(value).map((header) => [headerName.test(header) ? header : HIDDEN, HIDDEN]),
    );
  }
  if (secretName.test(name)) return HIDDEN;
  if (typeof value === 'object') return redactOptions({ ...value });
  if (typeof value !== 'string') return value;
  if (name === 'link') return redactLink(value);
  return addressName.test(name) ? redactAddress(value) : value;
}

/** A link that a message carries leads to a page; what stands behind `?` and `#` may let somebody in. */
function redactLink(link: string): string {
  if (!/^https?:/i.test(link) || !URL.canParse(link)) return HIDDEN;
  const [, page = '', query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(link) ?? [];
  const shown = page.replace(/^([a-z]+:[\\/]*)[^\\/]*@/i, '$1');
  const asked = query === undefined ? '' : `?${query.split('&').map(redactParameter).join('&')}`;
  return `${shown}${asked}${fragment === undefined ? '' : '#…'}`;
}

function redactParameter(parameter: string): string {
  const at = parameter.indexOf('=');
  if (at < 1) return '…';
  return parameter.slice(at + 1) === '{meeting_id}' ? parameter : `${parameter.slice(0, at)}=…`;
}
