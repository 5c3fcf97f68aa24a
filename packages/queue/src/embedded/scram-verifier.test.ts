import { expect, it } from 'vitest';

import { makeScramVerifier } from './scram-verifier.ts';

// The password, salt and number of rounds of the example in RFC 7677, 3; the keys by Python's hashlib.
it('makes the verifier that PostgreSQL makes', () => {
  const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
  expect(makeScramVerifier('pencil', salt)).toBe(
    'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  );
});
