import fc from 'fast-check';
import { expect, it } from 'vitest';

import { isFullRun } from '../support/run-size.ts';
import { readAsPerson, readerNames } from './read-as-person.ts';

/** Part of a report's text, and what of it must arrive: digits, comparison signs, names, addresses, in this order. */
interface Piece {
  readonly source: string;
  readonly tokens: readonly string[];
}

const months = 'Oktober,november,März,októbra,október,lokakuuta,října,Dezember'.split(',');
const counted = 'Quartal,kvartal,negyedév,Halbjahr,čtvrtletí,Etage'.split(',');
const words =
  'Freigabe der Verträge,lansering av tjänsten,公開日を決める,다시 확인,заседание совета,prix à revoir,اجتماع الفريق,ship it,先做试点'.split(
    ',',
  );
const names = ['Ann Lee @ Contoso', 'Bo Kim (@bokim)', 'Room 3@HQ', 'José Núñez', '青木', 'Олег Ткач'];
const currencies = ['€', '$', '¥', '£', 'EUR ', 'CHF '];
const addresses = [
  'https://docs.example.com/plan/2026',
  'https://wiki.example.com/a?b=1',
  'https://en.example.org/wiki/A_(b)',
  'http://example.cn/q',
];
/** What stands behind an address without a blank. */
const behindAddress = ['を参照', '）も', '」と', '、次に', '。以上', '，谢谢', '문서', ' ok', ', then'];

const word = fc.constantFrom(...words);
const day = fc.integer({ min: 1, max: 31 }).map(String);
const amount = fc.integer({ min: 0, max: 9999 }).map(String);

const date = fc.tuple(day, fc.constantFrom(...months), word).map(([number, month, text]): Piece => ({
  source: `${number}. ${month}: ${text}`,
  tokens: [number, month],
}));
const ordinal = fc
  .tuple(day, fc.constantFrom(...counted), word)
  .map(([number, noun, text]): Piece => ({ source: `${number}. ${noun} ${text}`, tokens: [number, noun] }));
const numericDate = fc.tuple(day, day, amount, word).map(([one, two, three, text]): Piece => ({
  source: `${one}. ${two}. ${three} ${text}`,
  tokens: [one, two, three],
}));
const comparison = fc
  .tuple(fc.constantFrom('>', '> ', '>=', '>= ', '<', '<='), fc.constantFrom('', ...currencies), amount, word)
  .map(([sign, currency, number, text]): Piece => ({
    source: `${sign}${currency}${number} ${text}`,
    tokens: [sign.trim(), number],
  }));
const product = fc.tuple(amount, amount, amount).map(([one, two, three]): Piece => ({
  source: `${one}*${two}*${three} ok`,
  tokens: [`${one}*${two}*${three}`],
}));
const address = fc
  .tuple(word, fc.constantFrom(...addresses), fc.constantFrom(...behindAddress))
  .map(([before, url, after]): Piece => ({
    source: `${before} 見本「${url}${after}`,
    tokens: [url, after.trim()],
  }));
const idnAddress = fc.constant<Piece>({
  source: '公開先：https://例え.jp/案内 を確認',
  tokens: ['https://例え.jp/案内', 'を確認'],
});
const named = fc
  .tuple(fc.constantFrom(...names), amount)
  .map(([name, number]): Piece => ({ source: `${name} sagt ${number}`, tokens: [name, number] }));
const emphasis = fc.tuple(amount, word).map(([number, text]): Piece => ({
  source: `${text}は**「${number}」**から`,
  tokens: ['「', number, '」'],
}));

const line = fc.oneof(date, ordinal, numericDate, comparison, product, address, idnAddress, named, emphasis);

const bullet = fc.constantFrom('- ', '* ', '・', '● ', '◦ ', '• ', '- [ ] ');

/** A list that counts up, interrupted or not, from 1 or later. */
const numbered = fc
  .tuple(
    fc.integer({ min: 1, max: 30 }),
    fc.array(word, { minLength: 2, maxLength: 4 }),
    fc.constantFrom('\n', '\n- so\n', '\n\nDann weiter.\n\n'),
    fc.constantFrom('.', ')'),
  )
  .map(([from, texts, between, end]): Piece => ({
    source: texts.map((text, at) => `${String(from + at)}${end} ${text}`).join(between),
    tokens: texts.flatMap((text, at) => [String(from + at), text]),
  }));

const block = fc.oneof(
  { weight: 4, arbitrary: line },
  { weight: 2, arbitrary: numbered },
  {
    weight: 3,
    arbitrary: fc
      .tuple(bullet, fc.array(line, { minLength: 1, maxLength: 4 }))
      .map(([mark, lines]): Piece => ({
        source: lines.map(({ source }) => mark + source).join('\n'),
        tokens: lines.flatMap(({ tokens }) => tokens),
      })),
  },
);

const summary = fc.array(block, { minLength: 1, maxLength: 5 }).map((blocks): Piece => ({
  source: blocks.map(({ source }) => source).join('\n\n'),
  tokens: blocks.flatMap(({ tokens }) => tokens),
}));

/** Decisions and tasks, a line each, with bullets or without. The same task twice is one. */
const list = fc
  .tuple(
    fc.constantFrom('', '- ', '・'),
    fc.uniqueArray(line, { minLength: 1, maxLength: 4, selector: ({ source }) => source }),
  )
  .map(([mark, lines]): Piece => ({
    source: lines.map(({ source }) => mark + source).join('\n'),
    tokens: lines.flatMap(({ tokens }) => tokens),
  }));

const people = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 4 });

it(
  'every run of digits, comparison sign, name and address arrives unchanged and in order, everywhere',
  () => {
    fc.assert(
      fc.property(summary, list, list, people, (summarised, decided, tasks, participants) => {
        const turns = participants.map((name, at) => [name, `Satz ${String(at)}.`] as const);
        const read = readAsPerson({
          summary: summarised.source,
          decisions: decided.source,
          tasks: tasks.source,
          participants: participants.map((name) => ({ name })),
          turns,
        });
        for (const name of readerNames) {
          const text = read[name];
          expectTokens(text, summarised.tokens);
          expectTokens(text, decided.tokens);
          expectTokens(text, tasks.tokens);
          expectTokens(text, participants);
          expect(text).not.toContain('**');
        }
        for (const name of ['notion', 'http'] as const) {
          expectTokens(
            read[name],
            turns.flatMap(([speaker, said]) => [speaker, said]),
          );
        }
        const links = [...summarised.tokens, ...decided.tokens, ...tasks.tokens].filter((token) =>
          addresses.includes(token),
        );
        for (const name of ['slack', 'notion', 'mail'] as const) {
          const found = [...read[name].matchAll(/⟦(http[^⟧]*)⟧/g)].map(([, url = '']) => url);
          expect(found.filter((url) => !url.includes('xn--')).toSorted()).toEqual(links.toSorted());
        }
      }),
      { numRuns: isFullRun ? 2000 : 100 },
    );
  },
  isFullRun ? 120_000 : 30_000,
);

function expectTokens(text: string, tokens: readonly string[]): void {
  let from = 0;
  for (const token of tokens) {
    const at = findToken(text, token, from);
    if (at === -1) {
      expect.fail(`${JSON.stringify(token)} is missing in\n${text.slice(from)}\n\nin the whole\n${text}`);
    }
    from = at + token.length;
  }
}

/** A run of digits is found as a whole run only. */
function findToken(text: string, token: string, from: number): number {
  if (!/^\d+$/.test(token)) return text.indexOf(token, from);
  const pattern = new RegExp(String.raw`(?<!\d)${token}(?!\d)`, 'g');
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}
