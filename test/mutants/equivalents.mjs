/**
 * Changes that no test can notice, each with the reason. `was` and `becomes` as Stryker writes them, `line` a piece of the
 * line in which it stands.
 */
export const equivalents = [
  {
    file: 'webhooks/src/signature.ts',
    line: 'if (body instanceof Uint8Array) return;',
    was: 'body instanceof Uint8Array',
    becomes: 'false',
    why: 'A shortcut: the check behind it says the same of such bytes, and is slower.',
  },
  {
    file: 'webhooks/src/derive-secret.ts',
    line: '.exec(key) ?? []',
    was: '[]',
    becomes: '["Stryker was here"]',
    why: 'The first element, the whole match, is never read.',
  },
  ...[
    ['name === undefined || tag === undefined', 'name === undefined && tag === undefined'],
    ['name === undefined', 'false'],
    ['tag === undefined', 'false'],
  ].map(([was, becomes]) => ({
    file: 'webhooks/src/derive-secret.ts',
    line: 'name === undefined || tag === undefined',
    was,
    becomes,
    why: 'Both groups match or none does: each half of the condition is there for the type of the other.',
  })),
  {
    file: 'webhooks/src/derive-secret.ts',
    line: "Buffer.from(text, 'utf8')",
    was: "'utf8'",
    becomes: '""',
    why: 'UTF-8 is what Buffer.from takes without an encoding.',
  },
  {
    file: 'webhooks/src/verify-delivery.ts',
    line: "fault: 'malformed'",
    was: 'false',
    becomes: 'true',
    why: "A line that is no text is read as the text 'undefined' then, and refused as malformed all the same.",
  },
  ...['true', 'end >= 1'].map((becomes) => ({
    file: 'receiver/src/endpoints.ts',
    line: 'end > 1',
    was: 'end > 1',
    becomes,
    why: 'Of the target "/" an empty name is left either way, and that is none.',
  })),
  ...[
    ['key !== undefined', 'true'],
    ['endpoints.masterSecret !== undefined', 'true'],
    [
      'key !== undefined &&\n    endpoints.masterSecret !== undefined',
      'key !== undefined || endpoints.masterSecret !== undefined',
    ],
    ['key !== undefined &&\n    endpoints.masterSecret !== undefined', 'true'],
    ['endpoints.byName.get(endpoint)?.unsigned', 'endpoints.byName.get(endpoint).unsigned'],
  ].map(([was, becomes]) => ({
    file: 'receiver/src/endpoints.ts',
    line: '',
    was,
    becomes,
    why: 'The handler has found secrets before it asks: the endpoint exists, and a master secret where there is a key.',
  })),
  {
    file: 'receiver/src/examine-delivery.ts',
    line: "verdict: 'genuine'",
    was: "'genuine'",
    becomes: '""',
    why: 'The handler takes what is neither forged nor malformed for genuine; the types know the word.',
  },
  {
    file: 'receiver/src/examine-delivery.ts',
    line: "typeof value === 'string'",
    was: "typeof value === 'string'",
    becomes: 'true',
    why: 'Node joins doubled lines of this header into one text, and what is absent comes back as absent.',
  },
  {
    file: 'receiver/src/examine-delivery.ts',
    line: 'ms !== formattedMs',
    was: 'ms !== formattedMs',
    becomes: 'true',
    why: 'Formats again what it has: the same text, only slower.',
  },
  {
    file: 'receiver/src/examine-delivery.ts',
    line: "let formatted = ''",
    was: "''",
    becomes: '"Stryker was here!"',
    why: 'NaN equals no time, so this text is replaced before it is read.',
  },
  ...['encoding', 'type'].map((becomes) => ({
    file: 'receiver/src/examine-delivery.ts',
    line: `${becomes}.trim()`,
    was: `${becomes}.trim()`,
    becomes,
    why: 'The parser has taken the blanks around a value away.',
  })),
];
