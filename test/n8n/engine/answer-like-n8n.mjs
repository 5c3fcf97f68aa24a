/** The few words of Express that nodes use. */
export function speakLikeExpress(response) {
  response.locals = {};
  response.status = (code) => {
    response.statusCode = code;
    return response;
  };
  response.set = response.setHeader.bind(response);
  response.header = response.set;
  response.json = (value) => {
    if (!response.headersSent) response.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (!response.writableEnded) response.end(JSON.stringify(value));
    return response;
  };
  response.send = (value) => {
    if (value === undefined) return response.end();
    if (typeof value !== 'string') return response.json(value);
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    return response.end(value);
  };
}

/** What n8n sends for a trigger that answers at once; `responseData` is that of the webhook's description. */
export function sendResult(response, { workflowData, webhookResponse }, responseData) {
  if (workflowData === undefined)
    return response.send(webhookResponse ?? { message: 'Webhook call received' });
  if (responseData === 'noData') return response.send(undefined);
  return response.send(responseData || (webhookResponse ?? { message: 'Workflow was started' }));
}
