import { limits } from '@aftermeet/contract';
import { describeWeakSecret, readStandardSigningKey } from '@aftermeet/webhooks';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

const { secretMinLength: least, secretMaxLength: most } = limits;
const badStandardSecret = 'begins with whsec_, which the Base64 of 24 to 64 bytes must follow';
const previous = { previousSecret: 'Previous Secret', olderSecret: 'Secret Before That' };

/**
 * Says what is wrong with the form of the webhook secrets of an `AftermeetApi`, or nothing. Never repeats one.
 * Previous ones are not held against what makes a secret weak: they must be accepted until they are over.
 */
export function describeBadSecrets(data: ICredentialDataDecryptedObject): string | undefined {
  const isForwarded = data['signedBy'] === 'receiver';
  const describe = isForwarded ? describeForwardSecret : describeWeakSecret;
  const current = readText(data['webhookSecret']);
  const problem = describe(current);
  if (problem !== undefined) return `Webhook Secret ${problem}`;
  const secrets = new Set([current]);
  for (const [name, field] of Object.entries(previous)) {
    const secret = readText(data[name]);
    if (secret === '') continue;
    if (secret.length < least || secret.length > most)
      return `${field} must have ${least} to ${most} characters`;
    if (isForwarded && secret.startsWith('whsec_') && readStandardSigningKey(secret) === undefined)
      return `${field} ${badStandardSecret}`;
    if (secrets.has(secret)) return `${field} is the same as another one`;
    secrets.add(secret);
  }
  return undefined;
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** As Standard Webhooks has it, or a text. */
function describeForwardSecret(secret: string): string | undefined {
  if (!secret.startsWith('whsec_')) return describeWeakSecret(secret);
  return readStandardSigningKey(secret) === undefined ? badStandardSecret : undefined;
}
