/** A refusal in Notion's own words: https://developers.notion.com/reference/status-codes */
export interface NotionRefusal {
  readonly refused: true;
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export function refuseNotionCall(status: number, code: string, message: string): NotionRefusal {
  return { refused: true, status, code, message };
}

/** The commonest one: the body breaks a rule. */
export function refuseNotionBody(message: string): NotionRefusal {
  return refuseNotionCall(400, 'validation_error', message);
}
