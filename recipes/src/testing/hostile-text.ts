import fc from 'fast-check';

/** Text of any UTF-16 units: controls, halves of characters, marks that combine, signs of direction. */
export const anyUnits: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0x20, max: 0x7e }),
      fc.integer({ min: 0, max: 0xff }),
      fc.constantFrom(0xd83d, 0xde00, 0x200d, 0xfe0f, 0x0301, 0x202e, 0x2028, 0xfeff, 0x3000),
      fc.integer({ min: 0, max: 0xffff }),
    ),
    { maxLength: 60 },
  )
  .map((units) => String.fromCharCode(...units));

const marks = [
  '**',
  '*',
  '_',
  '~~',
  '`',
  '[',
  '](',
  ')',
  '![',
  '<',
  '>',
  '<br>',
  '&amp;',
  '&#x202e;',
  '|',
  '\\',
];
const starts = [
  '\n',
  '\n\n',
  '\n- ',
  '\n  - ',
  '\n1. ',
  '\n> ',
  '\n# ',
  '\n- [ ] ',
  '\n---\n',
  '\n```\n',
  '    ',
];
const addresses = [
  'https://example.com/x',
  'www.example.com',
  'ann@example.com',
  '[a]: http://r.example',
  '[^1]: note',
];
const words = [
  'word',
  'two words',
  ' ',
  '👨‍👩‍👧',
  '🇩🇪',
  'e\u0301',
  '会議',
  '\ud83d',
  '<!channel>',
  '<@U1>',
  '[^1]',
];
const bits = fc.constantFrom(...marks, ...starts, '\n|a|b|\n|-|-|\n|c|d|', ...addresses, ...words);

/** Text with much Markdown in it, well-formed and not. */
export const anyMarkdown: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 8, arbitrary: bits }, { weight: 1, arbitrary: anyUnits }), { maxLength: 60 })
  .map((parts) => parts.join(''));

const inlineBombs = [
  '[',
  '![[',
  '[a](',
  '](',
  '[a][b]',
  '[^a]',
  '*',
  '_',
  '*a ',
  'a*',
  '*a_ ',
  'a~~b ',
  '*_',
  '`',
  '``a ',
];
const blockBombs = [
  '> ',
  '> a\n',
  '- ',
  '1. ',
  '> - ',
  '- a\n',
  '- a\n\n',
  '> - a\n- > b\n',
  '# ',
  '# a\n',
  'a\n=\n',
  '```\n',
];
const htmlBombs = ['|', '|a\n|-\n', '|-|\n', '<', '<a x=', '<!--', '<br>\n', '<div>\n\n', '&', '&#1;', '\\'];
const addressBombs = [
  'a@b.',
  'a@b.c ',
  'www.',
  'www.a.b ',
  'http://',
  'http://a.b_',
  'a-',
  '\t',
  '\ta\n',
  ' ',
  '\n',
  '\0',
  '\r',
];

/** What was made to cost a reader of Markdown far more time than it is long: 20,000 characters of each kind. */
export const markdownBombs: readonly string[] = [
  ...inlineBombs,
  ...blockBombs,
  ...htmlBombs,
  ...addressBombs,
].map((part) => part.repeat(20_000 / part.length));
