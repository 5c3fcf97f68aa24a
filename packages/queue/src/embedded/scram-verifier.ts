import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';

/** PostgreSQL's own number. Our password has 192 random bits and would need fewer. */
const ITERATIONS = 4096;

/**
 * What PostgreSQL keeps of a password (RFC 5803): it proves who knows it, and lets no one in. The password must be ASCII,
 * which needs no preparation (RFC 4013).
 */
export function makeScramVerifier(password: string, salt: Buffer): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const storedKey = createHash('sha256').update(sign(salted, 'Client Key')).digest('base64');
  const serverKey = sign(salted, 'Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

function sign(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
