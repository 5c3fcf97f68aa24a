const prefix = 'whsec_';
const leastCharacters = 16;

/**
 * The bytes that a secret of Standard Webhooks signs with; undefined when it is none. `whsec_` is followed by the Base64 of 24 to 64 bytes,
 * as the libraries of Standard Webhooks expect it (standardwebhooks.com, Signature scheme); any other text of at least
 * 16 characters is taken as its UTF-8 bytes. Pure.
 */
export function readStandardSigningKey(secret: string): Buffer | undefined {
  if (secret.startsWith(prefix)) {
    const text = secret.slice(prefix.length);
    const key = Buffer.from(text, 'base64');
    // What is no Base64 would be dropped in silence.
    const isBase64 = key.toString('base64').replaceAll('=', '') === text.replace(/={1,2}$/, '');
    return isBase64 && key.length >= 24 && key.length <= 64 ? key : undefined;
  }
  return secret.length >= leastCharacters && secret.trim() === secret
    ? Buffer.from(secret, 'utf8')
    : undefined;
}
