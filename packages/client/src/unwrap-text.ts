/** Wrapped more often than this, nobody would unwrap it. */
const MAX_LAYERS = 4;

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['sol', '/'],
  ['plus', '+'],
  ['equals', '='],
]);

/** For comparing: without percent-encoding, HTML entities, JSON escapes and invisible characters, in lower case. */
export function unwrapText(text: string): string {
  let at = text;
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const inner = unwrapOnce(at);
    if (inner === at) break;
    at = inner;
  }
  return at.toLowerCase();
}

function unwrapOnce(text: string): string {
  return text
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())
    .replaceAll(/&#(\d{1,7});/g, (_match, digits: string) => readCharacter(Number(digits)))
    .replaceAll(/&#x([0-9a-f]{1,6});/gi, (_match, digits: string) =>
      readCharacter(Number.parseInt(digits, 16)),
    )
    .replaceAll(/&([a-z]{2,6});/gi, (match, name: string) => entities.get(name.toLowerCase()) ?? match)
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_match, digits: string) => readCharacter(Number.parseInt(digits, 16)))
    .replaceAll(/\\(.)/gu, '$1')
    .replaceAll('+', ' ');
}

function readCharacter(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}
