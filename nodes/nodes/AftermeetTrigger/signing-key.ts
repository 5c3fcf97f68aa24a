import { limits } from '@aftermeet/contract/pure';

const prefix = 'whsec_';

/**
 * The bytes that a Standard Webhooks secret signs with: `whsec_` and the Base64 of 24 to 64 bytes, or any other text of at least
 * 16 characters as its UTF-8 bytes, as the recipe `http-forward` takes it. Undefined for what is neither. Pure.
 */
export function readSigningKey(secret: string): Buffer | undefined {
  if (!secret.startsWith(prefix)) {
    const isUsable = secret.length >= limits.secretMinLength && secret.trim() === secret;
    return isUsable ? Buffer.from(secret, 'utf8') : undefined;
  }
  const text = secret.slice(prefix.length).replace(/={1,2}$/, '');
  // Node drops what is no Base64 in silence.
  if (!/^[A-Za-z0-9+/]+$/.test(text)) return undefined;
  const key = Buffer.from(text, 'base64');
  return key.length >= 24 && key.length <= 64 ? key : undefined;
}
