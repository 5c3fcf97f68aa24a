/** The few words of Express that the trigger uses. */
export function speakLikeExpress(response) {
  response.status = (code) => {
    response.statusCode = code;
    return response;
  };
  response.json = (value) => {
    if (!response.headersSent) response.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (!response.writableEnded) response.end(JSON.stringify(value));
    return response;
  };
}

/** What n8n sends for a trigger that answers at once; `responseData` is that of the webhook's description. */
export function sendResult(response, { workflowData, webhookResponse }, responseData) {
  response.json((workflowData === undefined ? undefined : responseData) || webhookResponse);
}
