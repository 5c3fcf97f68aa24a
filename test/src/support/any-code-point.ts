import fc from 'fast-check';

const surrogates = 0x800;

/**
 * Any character of Unicode but halves of pairs, as the `unit` of `fc.string`. It draws from the same set as fast-check's
 * own `binary`, whose table takes a second and a half to be made in each process.
 */
export const anyCodePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - surrogates })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + surrogates));
