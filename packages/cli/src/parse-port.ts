import { parseWhole } from './parse-whole.ts';

/** A port of the command line; 0 means any free one. */
export const parsePort = parseWhole('a port', 0, 65_535);
