import { describeMismatch, type Mismatch } from './schema/describe-mismatch.ts';

/** A refusal in Notion's own words: https://developers.notion.com/reference/status-codes */
export interface NotionRefusal {
  readonly refused: true;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
  /** What a program can go by. */
  readonly additionalData?: Readonly<Record<string, unknown>>;
}

export function refuseNotionCall(status: number, code: string, message: string): NotionRefusal {
  return { refused: true, status, code, message };
}

/** The commonest one: the body breaks a rule. */
export function refuseNotionBody(message: string): NotionRefusal {
  return refuseNotionCall(400, 'validation_error', message);
}

/** One mismatch is a sentence, several are a list of which one is to be mended. `part` is `body`, `path` or `query`. */
export function refuseMismatches(mismatches: readonly Mismatch[], part = 'body'): NotionRefusal {
  const lines = mismatches.map(describeMismatch);
  const [only] = lines;
  return refuseNotionBody(
    lines.length === 1 && only !== undefined
      ? `${part} failed validation: ${only}`
      : `${part} failed validation. Fix one:\n${lines.join('\n')}`,
  );
}

/** What is not there, or not shared with the connection: Notion does not tell which. */
export function refuseUnknown(what: string, id: string): NotionRefusal {
  return refuseNotionCall(
    404,
    'object_not_found',
    `Could not find ${what} with ID: ${id}. Make sure the relevant pages and databases are shared with your integration.`,
  );
}

/** What is in the trash can be read and restored, nothing else. */
export function refuseTrash(): NotionRefusal {
  return refuseNotionBody("Can't edit block that is archived. You must unarchive the block before editing.");
}

/** What Notion has and this stand-in does not play. */
export function refuseUnplayed(what: string): NotionRefusal {
  return refuseNotionCall(400, 'invalid_request', `Unsupported request: the stand-in does not play ${what}.`);
}

export function isRefusal(outcome: unknown): outcome is NotionRefusal {
  return typeof outcome === 'object' && outcome !== null && 'refused' in outcome;
}
