import { createHash } from 'node:crypto';

/** What makes an effect this one and no other. */
export interface EffectIdentity {
  readonly workspace: string;
  readonly recipe: string;
  readonly eventKind: string;
  readonly meetingId: string;
  /** The event's own timestamp: a series of meetings shares one meeting id. */
  readonly occurrence: string;
  readonly target: string;
  readonly part: number;
  /** What of the meeting it is about, where it is not about all of it. */
  readonly item?: string | undefined;
}

/**
 * The key of an effect: lowercase hex SHA-256 over the JSON array of its identity. JSON quotes every
 * field, so no two identities encode alike. Never change it: a changed key sends everything again.
 */
export function deriveEffectKey(identity: EffectIdentity): string {
  const { workspace, recipe, eventKind, meetingId, occurrence, target, part } = identity;
  const parts = [workspace, recipe, eventKind, meetingId, occurrence, target, part, ...listItem(identity)];
  const encoded = JSON.stringify(parts);
  return createHash('sha256').update(encoded, 'utf8').digest('hex');
}

/**
 * The dedupe key of an effect: what it is about, whichever delivery asks for it. Lowercase hex SHA-256, made like
 * {@link deriveEffectKey} without the occurrence. Never change it: what was sent would not be found again.
 */
export function deriveSubjectKey(identity: Omit<EffectIdentity, 'occurrence'>): string {
  const { workspace, recipe, eventKind, meetingId, target, part } = identity;
  const parts = ['dedupe', workspace, recipe, eventKind, meetingId, target, part, ...listItem(identity)];
  const encoded = JSON.stringify(parts);
  return createHash('sha256').update(encoded, 'utf8').digest('hex');
}

/** An effect about all of its meeting has the key that it had before there were others. */
function listItem({ item }: Pick<EffectIdentity, 'item'>): readonly string[] {
  return item === undefined ? [] : [item];
}

/** A target as the ledger may know it: lowercase hex SHA-256, because a target can be an address. */
export function hashTarget(target: string): string {
  return createHash('sha256').update(target, 'utf8').digest('hex');
}
