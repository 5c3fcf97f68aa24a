// n8n's public API, which publishes workflows and says what became of their runs, and the one of its editor.

/** Who signs in. */
export const owner = { email: 'proof@example.com', firstName: 'P', lastName: 'Q', password: 'Proof-12345' };

const waitMs = 150;

/** Makes the owner of a fresh n8n and an API key. */
export async function openApi(url) {
  const browser = { 'Content-Type': 'application/json', 'browser-id': 'proof' };
  const setup = await ask(`${url}/rest/owner/setup`, { method: 'POST', headers: browser, body: owner });
  const cookie = setup.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const editor = { ...browser, cookie };

  /** As the editor asks: the answer's `data`. */
  async function edit(path, body) {
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await ask(`${url}/rest/${path}`, { method, headers: editor, body });
    return (await answer.json()).data;
  }

  const scopes = [
    'execution:read',
    'execution:list',
    'workflow:read',
    'workflow:activate',
    'workflow:deactivate',
  ];
  const { rawApiKey } = await edit('api-keys', { label: 'proof', expiresAt: null, scopes });
  const headers = { 'X-N8N-API-KEY': rawApiKey, 'Content-Type': 'application/json' };
  const read = async (path) => await (await ask(`${url}/api/v1/${path}`, { headers })).json();

  const readList = async (query) =>
    (await read(`executions?${new URLSearchParams({ limit: '100', ...query })}`)).data;

  /** Those that have ended, newest first, without their data. */
  const list = (workflowId) => readList({ workflowId });

  /** Those under way too, which n8n leaves out of its list unless it is asked for them. */
  async function count(workflowId) {
    const running = await readList({ workflowId, status: 'running' });
    const ended = await list(workflowId);
    return new Set([...running, ...ended].map(({ id }) => id)).size;
  }

  /** The newest run once there are more than `before` and it has ended, with its data. */
  async function waitForRun(workflowId, before) {
    const deadline = Date.now() + 90_000;
    while (Date.now() < deadline) {
      const found = await list(workflowId);
      const [newest] = found;
      if (found.length > before && newest.stoppedAt) {
        return await read(`executions/${newest.id}?includeData=true`);
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    throw new Error(`${workflowId}: n8n did not end within 90 seconds`);
  }

  const change = async (workflowId, to) => {
    await ask(`${url}/api/v1/workflows/${workflowId}/${to}`, { method: 'POST', headers, body: {} });
  };

  return {
    edit,
    list,
    count,
    waitForRun,
    readRun: (id) => read(`executions/${id}?includeData=true`),
    /** As the editor's browser sees it: also what needs no login. */
    open: async (path) => await fetch(`${url}/${path}`, { headers: editor }),
    publish: (workflowId) => change(workflowId, 'activate'),
    /** What its nodes keep between runs. */
    readMemory: async (workflowId) => (await read(`workflows/${workflowId}`)).staticData,
    unpublish: (workflowId) => change(workflowId, 'deactivate'),
  };
}

async function ask(url, { method = 'GET', headers, body }) {
  const answer = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok)
    throw new Error(`${new URL(url).pathname} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
