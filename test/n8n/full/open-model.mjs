// A language model that calls the tools it was told to, one after the other, and then says what they answered.
import { createServer } from 'node:http';

/** `calls` is set by whoever plays: each with a pattern of the tool's name, and its arguments or what makes them out of the answers so far. Answers `POST /v1/chat/completions`. */
export async function openModel() {
  const requests = [];
  const model = { calls: [], requests };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const asked = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
      requests.push(asked);
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer(asked, model.calls)));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(model, {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    close: () => new Promise((resolve) => server.close(resolve)),
  });
}

function answer({ model, messages, tools = [] }, calls) {
  const told = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  const call = calls[told.length];
  const tool = tools.find(({ function: { name } }) => call !== undefined && call.tool.test(name));
  const message =
    tool === undefined
      ? { role: 'assistant', content: `The tools said: ${JSON.stringify(told)}` }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: `call_${String(told.length)}`,
              type: 'function',
              function: { name: tool.function.name, arguments: JSON.stringify(choose(call.with, told)) },
            },
          ],
        };
  const finish = message.tool_calls === undefined ? 'stop' : 'tool_calls';
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_800_000_000,
    model,
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

function choose(wanted, told) {
  return typeof wanted === 'function' ? wanted(told.map(String)) : wanted;
}
