import type { CommandContext } from '../context.ts';
import { type Service, withService } from '../service/with-service.ts';
import { cleanLine } from '../terminal/text.ts';
import type { Lookup } from './command-tree.ts';

/** A person waits for it with a finger on Tab. */
const LOOK_UP_MS = 1500;

/** A word that fits, and what it is. */
interface Offer {
  readonly word: string;
  readonly description: string;
}

type Tools = Pick<Service, 'client' | 'call'>;

const lookups: Readonly<Record<Lookup, (tools: Tools) => Promise<readonly Offer[]>>> = {
  meetings: listMeetings,
  tags: listTags,
};

/**
 * What the service knows of a kind; nothing where it does not answer soon, or is not configured. No `.env` of a folder that one
 * looks into decides where a key of the environment goes: Tab is pressed before anything is read.
 */
export async function lookUp(kind: Lookup, context: CommandContext): Promise<readonly Offer[]> {
  const { fromEnvFile } = context;
  if (fromEnvFile.has('SERVICE_BASE_URL') && !fromEnvFile.has('SERVICE_API_KEY')) return [];
  const client = { ...context.client, retries: 0, timeoutMs: LOOK_UP_MS };
  try {
    return await withService({ ...context, client }, { json: true }, async (service) => {
      const signal = AbortSignal.any([service.call.signal, AbortSignal.timeout(LOOK_UP_MS)]);
      return await lookups[kind]({ client: service.client, call: { signal } });
    });
  } catch {
    // An error in the middle of a command line helps with nothing.
    return [];
  }
}

/** The newest ones: one page of a search. */
async function listMeetings({ client, call }: Tools): Promise<readonly Offer[]> {
  for await (const { items } of client.meetings.search({}, call)) {
    return items.flatMap(({ id, title }) =>
      isWord(id) ? [{ word: id, description: cleanLine(title) }] : [],
    );
  }
  return [];
}

/** By name; by id where the name would be read as an option, or as several names. */
async function listTags({ client, call }: Tools): Promise<readonly Offer[]> {
  const { items } = await client.tags.list(call);
  return items.flatMap(({ id, name }) => {
    if (isWord(name) && !name.includes(',')) return [{ word: name, description: '' }];
    return isWord(id) ? [{ word: id, description: cleanLine(name) }] : [];
  });
}

/** Whether a word comes back as it was printed, and is no option. */
function isWord(text: string): boolean {
  return text !== '' && cleanLine(text) === text && !text.startsWith('-');
}
