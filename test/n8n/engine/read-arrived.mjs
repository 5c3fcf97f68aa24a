// What of a request has to be the same whoever sent it, and where the key stood.
import { createHash } from 'node:crypto';

/** Method, path, decoded query, JSON body, form parts, and what carried the key. */
export async function readArrived({ method, url, headers, body }) {
  const { pathname, searchParams } = new URL(url, 'http://service');
  const type = headers['content-type'] ?? '';
  const keys = { 'x-api-key': headers['x-api-key'], authorization: headers.authorization };
  return {
    method,
    path: decodeURIComponent(pathname),
    query: [...searchParams].toSorted(byName),
    keys,
    ...(type.startsWith('application/json') && body.length > 0 ? { json: JSON.parse(body) } : {}),
    ...(type.startsWith('multipart/form-data') ? { form: await readForm(type, body) } : {}),
  };
}

/** Every place where the key stood but the header that it belongs in. */
export function findLeaks({ url, rawHeaders, body }, key) {
  const leaks = [];
  if (decodeURIComponent(url).includes(key)) leaks.push('the address');
  if (body.includes(key)) leaks.push('the body');
  const isMcp = url.startsWith('/mcp');
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name, value] = rawHeaders.slice(at, at + 2);
    const belongs = isMcp ? 'authorization' : 'x-api-key';
    if (value.includes(key) && name.toLowerCase() !== belongs) leaks.push(`the header ${name}`);
  }
  return leaks;
}

async function readForm(type, body) {
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const parts = await Promise.all(
    [...form].map(async ([name, value]) => [
      name,
      typeof value === 'string' ? value : await describeFile(value),
    ]),
  );
  return parts.toSorted(byName);
}

async function describeFile(file) {
  const bytes = Buffer.from(await file.arrayBuffer());
  return { name: file.name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function byName([one], [other]) {
  return one < other ? -1 : Number(one > other);
}
