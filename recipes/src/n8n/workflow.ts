/** A value of a node's parameter, as it stands in JSON. */
export type Parameter =
  | string
  | number
  | boolean
  | null
  | readonly Parameter[]
  | { readonly [name: string]: Parameter };

export type Parameters = Readonly<Record<string, Parameter>>;

/** A node of an n8n workflow, as n8n 2 exports it. */
export interface N8nNode {
  readonly parameters: Parameters;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly position: readonly [number, number];
  /** By the type of the credential. n8n fills the id in when it has exactly one credential of that type and name. */
  readonly credentials?: Readonly<Record<string, { readonly id: null; readonly name: string }>>;
  readonly webhookId?: string;
  /** What comes after a failure: the error as an item, instead of the end of the run. */
  readonly onError?: 'continueRegularOutput';
}

interface Connection {
  readonly node: string;
  readonly type: 'main';
  readonly index: number;
}

/** An n8n workflow, as the editor and `n8n import:workflow` read it. */
export interface N8nWorkflow {
  readonly id: string;
  readonly name: string;
  readonly nodes: readonly N8nNode[];
  /** By the name of the node they start from, then by its output. */
  readonly connections: Readonly<Record<string, { readonly main: readonly (readonly Connection[])[] }>>;
  readonly active: false;
  readonly settings: { readonly executionOrder: 'v1'; readonly timezone?: string };
  readonly meta: { readonly templateCredsSetupCompleted: false };
  readonly pinData: Readonly<Record<string, never>>;
}
