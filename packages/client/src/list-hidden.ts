import { asFields, asList } from './report/loose.ts';

/** What no error may repeat, should the service echo it. */
export interface Hidden {
  /** In whatever spelling. */
  readonly secrets: readonly string[];
  /** As they are: titles, names. */
  readonly texts: readonly string[];
}

/** Fields of inputs that stay out of errors: secrets, and addresses that open a door. */
const secretFields = ['webhook_secret', 'webhook_url', 'link'];
/** Names of people and things. */
const textFields = ['title', 'q', 'newSummaryText', 'participants', 'authors', 'filename'];
/** Hiding every `a` of a message because a title is `a` would hide the message. */
const MIN_HIDDEN_LENGTH = 4;

/** The key, and of an input's fields those that are nobody else's business. */
export function listHidden(apiKey: string, input: unknown): Hidden {
  return { secrets: [apiKey, ...listTexts(input, secretFields)], texts: listTexts(input, textFields) };
}

function listTexts(input: unknown, names: readonly string[]): readonly string[] {
  const fields = asFields(input) ?? {};
  return names
    .flatMap((name) => [fields[name], ...asList(fields[name])])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)
    .filter((text) => text.length >= MIN_HIDDEN_LENGTH);
}
