import { players } from './play-operation.ts';

/** What a fault of a call can be `on`, besides `any`: an operation's id, or the MCP endpoint. */
export const callTargets: readonly string[] = [...Object.keys(players), 'mcp'];
