import type { Context } from '../context.ts';
import { WrongUse } from '../wrong-use.ts';
import { readPipedText } from './read-input-text.ts';

type ToolInput = Readonly<Record<string, unknown>>;

/** The arguments of a tool: an object in JSON, and over it `key=text` and `key:=JSON`. */
export async function readToolInput(
  words: readonly string[],
  json: string | undefined,
  context: Context,
): Promise<ToolInput> {
  const text =
    json === '-' ? await readPipedText(context, 'Give --input a JSON object, or pipe one in.') : json;
  return {
    ...(text === undefined ? {} : readObject(text)),
    ...Object.fromEntries(words.map((word) => readWord(word))),
  };
}

function readObject(text: string): ToolInput {
  const value = parseJson(text, '--input');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new WrongUse('--input: expected a JSON object, such as {"meeting_id":"m_42"}.\n');
}

function readWord(word: string): readonly [name: string, value: unknown] {
  const match = /^([^=:]+)(:?=)([\s\S]*)$/.exec(word);
  if (match === null) {
    throw new WrongUse(
      'An argument of a tool is key=text or key:=JSON, such as meeting_id=m_42 or limit:=5.\n',
    );
  }
  const [, name = '', sign, text = ''] = match;
  return [name, sign === '=' ? text : parseJson(text, JSON.stringify(name))];
}

function parseJson(text: string, what: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // The parser's own message quotes the text.
    throw new WrongUse(`${what}: this is no JSON. A shell needs '…' around it.\n`);
  }
}
