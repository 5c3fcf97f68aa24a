import { createHash } from 'node:crypto';

/** Of our own: what stands before the name (RFC 9562, 5.5). */
const namespace = Buffer.from('6f1d0c1e5f5b4c0e9a3b7c52d8a4e671', 'hex');

/** A UUID that is the same for the same parts: version 5, which services take that check the version (RFC 9562, 5.5). Pure. */
export function nameUuid(parts: readonly string[]): string {
  const digest = createHash('sha1').update(namespace).update(JSON.stringify(parts)).digest();
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
