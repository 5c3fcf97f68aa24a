const signaturePattern = /^sha256=[0-9a-f]{64}$/;
const prefixLength = 'sha256='.length;

/** The text of the signature header (specification, Events): `sha256=` and 64 lowercase hex digits. */
export function formatSignature(mac: Uint8Array): string {
  return `sha256=${Buffer.from(mac).toString('hex')}`;
}

/**
 * The 32 bytes of a signature header, or nothing when the text is not exactly of that form.
 * The form is of fixed length, so a truncated MAC can never be compared.
 */
export function parseSignature(text: string): Buffer | undefined {
  return signaturePattern.test(text) ? Buffer.from(text.slice(prefixLength), 'hex') : undefined;
}
