/** Calls the API without the vendor's client: for what that would not send. */
export async function callNotion(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: unknown }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      Authorization: 'Bearer ntn_test',
      'Notion-Version': '2025-09-03',
      'Content-Type': 'application/json',
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
